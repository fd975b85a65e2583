/**
 * Edits that turn `a` into `b`: insert, delete or replace one character, or swap two neighbours. Upper and lower case count
 * as equal. The restricted form: no part is edited twice. Damerau 1964, "A technique for computer detection and correction of
 * spelling errors". O(|a| |b|).
 */
function editDistance(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isEqual = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          last[column]! + 1,
          current[column - 1]! + 1,
          last[column - 1]! + (isEqual ? 0 : 1),
          isSwapped ? beforeLast[column - 2]! + 1 : Infinity,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length]!;
}

/** Longer names are compared by their beginning: no name that is known comes near. */
const maxComparedLength = 64;

/** The known name that takes the fewest edits to reach, the first of equals; undefined when none is known. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, maxComparedLength).toLowerCase();
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (nearest === undefined || distance < nearest.distance)
      nearest = { name: candidate, distance };
  }
  return nearest?.name;
}
