import { isPlainObject } from '../config/dataPath';

/**
 * A replacer for JSON.stringify: keys are sorted, so that equal data gives equal text however it was put together, and numbers that
 * JSON lacks become texts (`NaN`, `Infinity`, `-Infinity`, `-0`).
 */
export function stableReplacer(_key: string, value: unknown): unknown {
  if (isPlainObject(value))
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  if (typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0))) return value;
  return Object.is(value, -0) ? '-0' : String(value);
}
