import { isPlainObject } from '../config/dataPath';
import { exactNumberJson } from '../config/exactNumber';

/** A replacer for JSON.stringify: keys are sorted, so that equal data gives equal text however it was put together. */
export function sortingReplacer(_key: string, value: unknown): unknown {
  return isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}

/** The same for our own files, in which numbers that JSON lacks are texts (`NaN`, `Infinity`, `-Infinity`, `-0`). */
export function stableReplacer(key: string, value: unknown): unknown {
  return typeof value === 'number' ? exactNumberJson(value) : sortingReplacer(key, value);
}
