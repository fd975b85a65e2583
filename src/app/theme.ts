import { create } from 'zustand';

type Theme = 'light' | 'dark';

const storageKey = 'marlbook.theme';

interface ThemeState {
  readonly theme: Theme;
  readonly toggle: () => void;
}

/** The colours in use: what the reader chose last, otherwise what the system prefers. */
export const useTheme = create<ThemeState>((set, get) => ({
  theme: storedTheme() ?? systemTheme(),
  toggle: () => {
    const theme = get().theme === 'light' ? 'dark' : 'light';
    set({ theme });
    store(theme);
    show(theme);
  },
}));

/** Puts the theme on the document and follows the system while the reader has chosen nothing. */
export function startTheme(): void {
  show(useTheme.getState().theme);
  darkQuery().addEventListener('change', () => {
    if (storedTheme() !== null) return;
    useTheme.setState({ theme: systemTheme() });
    show(systemTheme());
  });
}

function show(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}

function darkQuery(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)');
}

function systemTheme(): Theme {
  return darkQuery().matches ? 'dark' : 'light';
}

function storedTheme(): Theme | null {
  try {
    const value = localStorage.getItem(storageKey);
    return value === 'light' || value === 'dark' ? value : null;
  } catch {
    // Storage can be forbidden; the choice then lasts as long as the page.
    return null;
  }
}

function store(theme: Theme): void {
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // See storedTheme.
  }
}
