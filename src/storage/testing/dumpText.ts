import { isPlainObject } from '../../config/dataPath';
import { exactNumberJson } from '../../config/exactNumber';
import type { DatabaseDump } from './fakeDatabase';

/** A database as text for a file: JSON, with numbers that JSON does not know and columns of numbers named. */

const kinds = { Float64Array, Int32Array, Int16Array, Uint16Array, Uint8Array } as const;

type Kind = keyof typeof kinds;

function isKind(name: string): name is Kind {
  return Object.hasOwn(kinds, name);
}

export function dumpText(dump: DatabaseDump): string {
  return `${JSON.stringify(toPlain(dump), null, 1)}\n`;
}

export function parseDump(text: string): DatabaseDump {
  const data = fromPlain(JSON.parse(text));
  if (!isPlainObject(data)) throw new TypeError('No database.');
  return Object.fromEntries(Object.entries(data).map(([store, rows]) => [store, rowsOf(rows)]));
}

function rowsOf(rows: unknown): DatabaseDump[string] {
  if (!Array.isArray(rows)) throw new TypeError('No rows.');
  return rows.map((row: unknown): [IDBValidKey, unknown] => {
    const [key, value]: unknown[] = Array.isArray(row) ? row : [];
    if (typeof key === 'string') return [key, value];
    if (!Array.isArray(key)) throw new TypeError('No key.');
    return [key.map((part: unknown) => (typeof part === 'number' ? part : String(part))), value];
  });
}

function toPlain(value: unknown): unknown {
  if (typeof value === 'number') {
    const json = exactNumberJson(value);
    return typeof json === 'string' ? { $number: json } : json;
  }
  if (Array.isArray(value)) return value.map(toPlain);
  for (const [name, kind] of Object.entries(kinds))
    if (value instanceof kind) return { [`$${name}`]: Array.from(value, toPlain) };
  return isPlainObject(value) ? mapped(value, toPlain) : value;
}

function fromPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromPlain);
  if (!isPlainObject(value)) return value;
  const [name = '', content] = Object.entries(value)[0] ?? [];
  if (name === '$number') return Number(content);
  const kind = name.slice(1);
  if (name.startsWith('$') && isKind(kind) && Array.isArray(content))
    return kinds[kind].from(content.map((entry) => Number(fromPlain(entry))));
  return mapped(value, fromPlain);
}

function mapped(value: object, change: (entry: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, change(entry)]));
}
