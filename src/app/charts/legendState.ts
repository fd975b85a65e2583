/**
 * What a legend shows and hides. An entry is an arm, or a metric where a chart draws several; a line is drawn when
 * both of its entries are visible. Pure: state in, state out.
 */
export interface LegendEntry {
  readonly id: string;
  /** Entries of one kind exclude each other when one is isolated. */
  readonly kind: 'arm' | 'metric';
  readonly label: string;
}

/** Ids of hidden entries. */
export type HiddenEntries = ReadonlySet<string>;

export const nothingHidden: HiddenEntries = new Set();

/** One click: hides a visible entry, shows a hidden one. */
export function toggleEntry(hidden: HiddenEntries, id: string): HiddenEntries {
  const next = new Set(hidden);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Double click: of its kind only this entry stays; if that is so already, all of the kind come back. */
export function isolateEntry(
  hidden: HiddenEntries,
  entries: readonly LegendEntry[],
  id: string,
): HiddenEntries {
  const kind = entries.find((entry) => entry.id === id)?.kind;
  const others = entries.filter((entry) => entry.kind === kind && entry.id !== id);
  const isAlone = !hidden.has(id) && others.every((entry) => hidden.has(entry.id));
  const next = new Set(hidden);
  next.delete(id);
  for (const other of others) {
    if (isAlone) next.delete(other.id);
    else next.add(other.id);
  }
  return next;
}
