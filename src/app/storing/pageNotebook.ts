import { create } from 'zustand';

/** Under which id the notebook on the page is kept. Each one that is opened has its own, and takes it along when it is left. */
export const usePageNotebook = create<{ readonly id: string }>(() => ({ id: freshId() }));

export function changePageNotebook(id: string): void {
  usePageNotebook.setState({ id });
}

/** 128 random bits in hexadecimal digits. Not `randomUUID`: that needs a secure page. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
