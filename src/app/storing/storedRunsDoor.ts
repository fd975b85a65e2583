import { create } from 'zustand';

/** Whether the list of stored runs is open over the page. */
export const useStoredRuns = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }));

export function openStoredRuns(): void {
  useStoredRuns.setState({ isOpen: true });
}

export function closeStoredRuns(): void {
  useStoredRuns.setState({ isOpen: false });
}
