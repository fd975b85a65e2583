/**
 * The value that all entries share; null where there is none, or where they differ. Values are compared as the document writes them.
 */
export function commonValue<T>(values: readonly T[]): T | null {
  const [first, ...others] = values;
  if (first === undefined) return null;
  const text = JSON.stringify(first);
  return others.every((value) => JSON.stringify(value) === text) ? first : null;
}
