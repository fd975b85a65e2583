import fc from 'fast-check';
import { isPlainObject, type PlainObject } from '../../config/dataPath';

/** Stored rows with something wrong in them, for fuzz tests. */

/** What a disk, another version or somebody who means harm may have put in a place. */
export const foreign = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    '',
    'rubbish',
    '__proto__',
    '{"a": 1}',
    [],
    {},
    NaN,
    Infinity,
    -0,
    -1,
    0.5,
    2 ** 53,
    1e308,
    new Date(0),
    new Map([[1, 2]]),
    new Float64Array(3),
    new Float32Array(2),
    new Uint8Array(1000),
    Int32Array.of(-1, 2 ** 31 - 1),
  ),
  fc.integer(),
  fc.double(),
  fc.string(),
);

export interface Mutation {
  /** Which way is taken at each level. */
  readonly turns: readonly number[];
  readonly kind: 'replace' | 'remove' | 'add' | 'double';
  readonly value: unknown;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  turns: fc.array(fc.nat(), { minLength: 1, maxLength: 7 }),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'double'),
  value: foreign,
});

/** A copy of plain data, columns and text with one place changed. */
export function mutated(value: unknown, change: Mutation): unknown {
  if (Array.isArray(value) && value.length > 0) return mutatedList(value, change);
  if (isPlainObject(value) && !ArrayBuffer.isView(value)) return mutatedGroup(value, change);
  return mutatedLeaf(value, change);
}

function mutatedList(list: readonly unknown[], { turns, kind, value }: Mutation): unknown {
  const [turn = 0, ...rest] = turns;
  const at = turn % list.length;
  if (rest.length > 0) return list.with(at, mutated(list[at], { turns: rest, kind, value }));
  switch (kind) {
    case 'remove':
      return list.toSpliced(at, 1);
    case 'double':
      return [...list, list[at]];
    case 'add':
      return [...list, value];
    case 'replace':
      return list.with(at, value);
  }
}

function mutatedGroup(group: PlainObject, { turns, kind, value }: Mutation): unknown {
  const [turn = 0, ...rest] = turns;
  const keys = Object.keys(group);
  const key = keys[turn % Math.max(1, keys.length)];
  if (key === undefined) return value;
  if (rest.length > 0)
    return { ...group, [key]: mutated(group[key], { turns: rest, kind, value }) };
  if (kind === 'add' || kind === 'double') return { ...group, more: value };
  if (kind === 'replace') return { ...group, [key]: value };
  return Object.fromEntries(Object.entries(group).filter(([other]) => other !== key));
}

function mutatedLeaf(leaf: unknown, { turns, value }: Mutation): unknown {
  const [turn = 0] = turns;
  if (typeof leaf === 'string' && leaf.length > 0 && typeof value !== 'string') {
    const at = turn % leaf.length;
    return `${leaf.slice(0, at)}${String(value)}${leaf.slice(at)}`;
  }
  if (leaf instanceof Float64Array || leaf instanceof Int32Array || leaf instanceof Uint8Array) {
    const copy = leaf.slice(0, turn % 2 === 0 ? leaf.length : -1);
    if (typeof value === 'number' && copy.length > 0) copy[turn % copy.length] = value;
    return copy;
  }
  return value;
}
