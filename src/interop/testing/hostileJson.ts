import fc from 'fast-check';

/** A valid document and what damage, chance and malice make of it. */

function nested(depth: number): unknown {
  let inner: unknown = 0;
  for (let i = 0; i < depth; i++) inner = i % 2 === 0 ? [inner] : { inner };
  return inner;
}

/** As a file can bring them: keys of its own with the names of JavaScript's object model. */
const polluting: readonly string[] = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"prototype":{"polluted":true}}',
  '{"toString":null,"hasOwnProperty":1}',
];

const strange: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    1e308,
    -1e308,
    Number.MAX_SAFE_INTEGER,
    2 ** 53 + 2,
    2 ** 32,
    -1,
    -0,
    0.1,
    5e-324,
    '',
    'x'.repeat(20_000),
    '..',
    '../../etc/passwd',
    'C:\\x',
    '\u0000',
    '\u{202e}abc',
    '\ud800',
    '__proto__',
    'constructor',
    'javascript:alert(1)',
    '<script>alert(1)</script>',
    null,
    true,
  ),
  fc.constantFrom(...polluting).map((text): unknown => JSON.parse(text)),
  fc.constantFrom(1, 9, 30, 300, 3000).map(nested),
  fc.constantFrom(0, 100, 5000).map((length) => Array.from({ length }, () => 0)),
  fc.double(),
  fc.string({ maxLength: 20 }),
);

interface JsonChange {
  /** Leads to a place: at each level, which entry. */
  readonly steps: readonly number[];
  readonly kind: 'replace' | 'remove' | 'add' | 'twice' | 'rename';
  readonly value: unknown;
}

const anyJsonChange: fc.Arbitrary<JsonChange> = fc.record({
  steps: fc.array(fc.nat(1000), { minLength: 1, maxLength: 7 }),
  kind: fc.constantFrom('replace', 'remove', 'add', 'twice', 'rename'),
  value: strange,
});

type Entries = readonly (readonly [string, unknown])[];

function changedEntries(entries: Entries, at: number, { kind, value }: JsonChange): Entries {
  const [key, old] = entries[at] ?? ['', null];
  switch (kind) {
    case 'replace':
      return entries.with(at, [key, value]);
    case 'remove':
      return entries.toSpliced(at, 1);
    case 'add':
      return [...entries, ['stranger', value]];
    case 'twice':
      return [...entries, [`${key}2`, old]];
    case 'rename':
      return entries.with(at, [typeof value === 'string' ? value : '__proto__', old]);
  }
}

/** `Object.fromEntries` and `JSON.parse` alike give a key `__proto__` of the object's own. */
function rebuilt(node: object, entries: Entries): unknown {
  return Array.isArray(node) ? entries.map(([, entry]) => entry) : Object.fromEntries(entries);
}

function applied(node: unknown, change: JsonChange, depth: number): unknown {
  if (typeof node !== 'object' || node === null) return change.value;
  const entries = Object.entries(node);
  if (entries.length === 0) return change.value;
  const at = (change.steps[depth] ?? 0) % entries.length;
  const [key, inner] = entries[at]!;
  const isThere = depth === change.steps.length - 1 || typeof inner !== 'object' || inner === null;
  if (isThere) return rebuilt(node, changedEntries(entries, at, change));
  return rebuilt(node, entries.with(at, [key, applied(inner, change, depth + 1)]));
}

/** One of `valid`, left alone or changed at up to three places. Plain data as in JSON. */
export function hostileJson(valid: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.constantFrom(...valid), fc.array(anyJsonChange, { maxLength: 3 }))
    .map(([document, changes]) =>
      changes.reduce((changed: unknown, change) => applied(changed, change, 0), document),
    );
}
