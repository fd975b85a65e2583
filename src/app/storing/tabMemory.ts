/** The little that is remembered outside the database: which notebook a tab had, and which ones are offered no more. */

const notebookKey = 'marlbook.notebook';
const leftKey = 'marlbook.left';
const maxLeft = 50;

/** Storage can be forbidden: then nothing is remembered. */
function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** The notebook that this tab kept before it was reloaded. */
export function notebookOfTab(): string | null {
  return attempt(() => sessionStorage.getItem(notebookKey), null);
}

export function rememberNotebook(id: string): void {
  attempt(() => sessionStorage.setItem(notebookKey, id), undefined);
}

export function leftNotebooks(): readonly string[] {
  return attempt(() => (localStorage.getItem(leftKey) ?? '').split(' '), []).filter(
    (id) => id !== '',
  );
}

export function rememberLeft(id: string): void {
  const left = [...leftNotebooks().filter((one) => one !== id), id].slice(-maxLeft);
  attempt(() => localStorage.setItem(leftKey, left.join(' ')), undefined);
}
