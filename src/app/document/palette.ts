import { create } from 'zustand';

/** What the command menu offers: everything, or the kinds of cells for one place. */
export type PaletteMode = { readonly kind: 'all' } | { readonly kind: 'add'; readonly at: number };

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
