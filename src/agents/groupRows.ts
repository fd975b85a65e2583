/** Rows by key, keys in order of first appearance. */
export function groupRows(
  rows: Iterable<number>,
  keyOf: (row: number) => number,
): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
