/** What plain data takes in the database, about: 9 bytes a number, a byte a character, names included. */
export function roughBytes(data: unknown): number {
  if (typeof data === 'number') return 9;
  if (typeof data === 'string') return data.length + 3;
  if (typeof data !== 'object' || data === null) return 1;
  if (Array.isArray(data)) return data.reduce<number>((sum, one) => sum + roughBytes(one), 4);
  return Object.entries(data).reduce(
    (sum, [key, value]) => sum + key.length + 3 + roughBytes(value),
    4,
  );
}
