import * as z from 'zod/mini';

const notInJson = ['NaN', 'Infinity', '-Infinity', '-0'] as const;

/** Any float64 in a document: JSON has no word for some, which stand there as text (`exactNumberJson`). */
export const exactNumberSchema = z.union(
  [z.number(), z.pipe(z.enum(notInJson), z.transform(Number))],
  { error: 'a number, or NaN, Infinity, -Infinity or -0 as text' },
);

/** What JSON.stringify is to be given for a number, so that every bit but a NaN's payload comes back. */
export function exactNumberJson(value: number): number | string {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? value : String(value);
}
