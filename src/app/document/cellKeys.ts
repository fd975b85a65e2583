/** What a key does while a cell itself has the focus, as against something inside it. */
export type CellCommand =
  | 'next'
  | 'previous'
  | 'first'
  | 'last'
  | 'moveDown'
  | 'moveUp'
  | 'edit'
  | 'addAbove'
  | 'addBelow'
  | 'duplicate'
  | 'delete';

interface Press {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

const plain: Readonly<Record<string, CellCommand>> = {
  ArrowDown: 'next',
  j: 'next',
  ArrowUp: 'previous',
  k: 'previous',
  Home: 'first',
  End: 'last',
  Enter: 'edit',
  a: 'addAbove',
  b: 'addBelow',
  c: 'duplicate',
  Delete: 'delete',
};

const withAlt: Readonly<Record<string, CellCommand>> = { ArrowDown: 'moveDown', ArrowUp: 'moveUp' };

/** Null for keys that mean nothing here. */
export function cellCommand({ key, altKey, ctrlKey, metaKey }: Press): CellCommand | null {
  if (ctrlKey || metaKey) return null;
  const commands = altKey ? withAlt : plain;
  return Object.hasOwn(commands, key) ? (commands[key] ?? null) : null;
}

/** The keys of the page in words, in the order in which they are listed. */
export const keyHelp: readonly (readonly [string, string])[] = [
  ['Ctrl K', 'all commands'],
  ['Ctrl Enter', 'run the experiment'],
  ['Ctrl Z, Ctrl Shift Z', 'undo, redo'],
  ['↑ ↓ or K J', 'from cell to cell'],
  ['Enter, Escape', 'into a cell, out of it'],
  ['A, B', 'add a cell above, below'],
  ['Alt ↑, Alt ↓', 'move the cell'],
  ['C, Delete', 'duplicate the cell, delete it'],
];
