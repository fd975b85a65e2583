import { isPlainObject } from '../config/dataPath';
import { exactNumberJson } from '../config/exactNumber';

/**
 * A replacer for JSON.stringify: keys are sorted, so that equal data gives equal text however it was put together, and numbers that
 * JSON lacks become texts (`NaN`, `Infinity`, `-Infinity`, `-0`).
 */
export function stableReplacer(_key: string, value: unknown): unknown {
  if (isPlainObject(value))
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return typeof value === 'number' ? exactNumberJson(value) : value;
}
