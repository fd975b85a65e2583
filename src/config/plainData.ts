import { joinPath } from './dataPath';
import type { SpecIssue } from './specIssue';

/** Own keys that name parts of JavaScript's object model; no document needs them, so none may carry them. */
export const reservedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A specification nests four levels; anything much deeper is not one, and recursion must end. */
const maxDepth = 8;

/**
 * A copy of unknown data made of fresh plain objects and lists, and what had to be left out of it.
 *
 * Own keys only; reserved keys, foreign objects (Date, Map, …) and deep nesting become issues. −0 becomes 0, which JSON cannot
 * tell apart. Values that JSON does not know (undefined, functions, bigint) pass through: the schema refuses them with their path.
 */
export function plainCopy(
  data: unknown,
  path = '',
): { readonly copy: unknown; readonly issues: readonly SpecIssue[] } {
  const issues: SpecIssue[] = [];
  return { copy: copyInto(issues, data, path, 0), issues };
}

function copyInto(issues: SpecIssue[], value: unknown, path: string, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
  if (depth > maxDepth) {
    issues.push({ path, message: `Nested deeper than ${maxDepth} levels: not a specification.` });
    return null;
  }
  if (Array.isArray(value))
    return value.map((entry: unknown, i) => copyInto(issues, entry, joinPath(path, i), depth + 1));
  if (!hasPlainPrototype(value)) {
    issues.push({ path, message: 'A special object came, expected plain data as in JSON.' });
    return null;
  }
  const copy: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    const keyPath = joinPath(path, key);
    if (reservedKeys.has(key))
      issues.push({ path: keyPath, message: `The key ${key} is reserved: remove it.` });
    else copy[key] = copyInto(issues, entry, keyPath, depth + 1);
  }
  return copy;
}

/** Object.prototype of any realm, or none at all. */
function hasPlainPrototype(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    typeof prototype !== 'object' || prototype === null || Object.hasOwn(prototype, 'isPrototypeOf')
  );
}
