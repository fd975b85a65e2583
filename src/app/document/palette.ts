import { create } from 'zustand';

/** What the command menu offers: everything, the kinds of cells for one place, or what can be done with one cell. */
export type PaletteMode =
  | { readonly kind: 'all' }
  | { readonly kind: 'add'; readonly at: number }
  | { readonly kind: 'cell'; readonly id: string };

/** Null while it is closed. */
export const usePalette = create<{ readonly mode: PaletteMode | null }>(() => ({ mode: null }));

/** What had the focus when the menu opened gets it back. */
let opener: Element | null = null;

export function openPalette(mode: PaletteMode): void {
  opener = document.activeElement;
  usePalette.setState({ mode });
}

export function closePalette(): void {
  usePalette.setState({ mode: null });
  if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  opener = null;
}
