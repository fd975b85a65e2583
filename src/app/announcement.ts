import { create } from 'zustand';

/** The sentence in the page's one polite live region. */
export const useAnnouncement = create<{ readonly text: string }>(() => ({ text: '' }));

/** Replaces what a screen reader is told; the last sentence wins. */
export function announce(text: string): void {
  useAnnouncement.setState({ text });
}
