/** An object as JSON writes it: read its own keys only. */
export type PlainObject = Readonly<Record<string, unknown>>;

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `policies` + `router` → `policies.router`. A long key is shortened: paths are for people. */
export function joinPath(path: string, key: string | number): string {
  const text = String(key);
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return path === '' ? shown : `${path}.${shown}`;
}

/** The value at a dotted path (`policies.router.optimizer.kind`, `seeds.0`), own keys only; undefined where there is none. */
export function valueAt(data: unknown, path: string): unknown {
  return valueAlong(data, path.split('.'));
}

/** As `valueAt`, for keys that may hold dots themselves. */
export function valueAlong(data: unknown, keys: readonly string[]): unknown {
  let value = data;
  for (const key of keys) {
    if (!hasEntry(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function hasEntry(value: unknown, key: string): value is object {
  if (Array.isArray(value)) return /^\d+$/.test(key) && Object.hasOwn(value, key);
  return isPlainObject(value) && Object.hasOwn(value, key);
}

/**
 * A copy of `data` with another value at a dotted path; everything off the path is shared with `data`.
 * Throws RangeError when nothing is at the path: settings are replaced, never invented.
 */
export function replaceAt(data: object, path: string, value: unknown): PlainObject {
  const replaced = replaceAlong(data, path.split('.'), value);
  if (!isPlainObject(replaced))
    throw new RangeError(`${path} leads to no setting: name one that exists, e.g. loss.clipLow.`);
  return replaced;
}

/** Undefined when the path leads nowhere. */
function replaceAlong(node: unknown, keys: readonly string[], value: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (!hasEntry(node, key)) return undefined;
  const entry = replaceAlong(Reflect.get(node, key), rest, value);
  if (entry === undefined) return undefined;
  return Array.isArray(node) ? node.with(Number(key), entry) : { ...node, [key]: entry };
}
