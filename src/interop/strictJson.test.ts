import { strToU8 } from 'fflate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonBytes, parseStrictJson } from './strictJson';
import { fuzzRuns } from './testing/fuzzRuns';
import { isWellFormed } from './testing/isWellFormed';

/** `path: message` of every issue. */
function faults(text: string): string[] {
  const parsed = parseStrictJson(text);
  return parsed.ok ? [] : parsed.issues.map(({ path, message }) => `${path}: ${message}`);
}

test('plain JSON is taken as the language reads it', () => {
  const text = '{"a":[1,{"b":null}],"c":{"a":"{\\"a\\":1,\\"a\\":2}"},"":true}';
  expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
});

test('equal keys in different objects are no repetition, in one object they are', () => {
  expect(faults('[{"a":1},{"a":2}]')).toEqual([]);
  expect(faults('{"x":[0,{"a":1,"b":[],"a":2}]}')).toEqual([
    'x.1.a: The key came twice: every key once, or a reader must guess.',
  ]);
});

test('a key written with an escape is the same key', () => {
  expect(faults(String.raw`{"a":1,"\u0061":2}`)).toHaveLength(1);
  expect(faults(String.raw`{"\u005f_proto__":{"x":1}}`)).toEqual([
    '__proto__: The key __proto__ is reserved: remove it.',
  ]);
});

test('values that look like keys are values', () => {
  expect(faults('{"a":"a","b":["b","b","__proto__"]}')).toEqual([]);
});

test('deep nesting is refused without recursion', () => {
  expect(faults('['.repeat(24) + ']'.repeat(24))).toEqual([]);
  expect(faults('['.repeat(25) + ']'.repeat(25))).toEqual([': Nested deeper than 24 levels.']);
  expect(faults('['.repeat(100_000) + ']'.repeat(100_000))).toHaveLength(1);
});

test('a string of any length is a string', () => {
  // A notebook holds packed recordings of up to 16 million characters, and some of quotes and backslashes would be the worst.
  for (const unit of ['a', '"', '\\', '\\"']) {
    const text = JSON.stringify({ packed: unit.repeat(2 ** 24), again: 1 });
    expect(parseStrictJson(text).ok).toBe(true);
    expect(faults(text.replace('"again":1', '"packed":1'))).toHaveLength(1);
  }
});

test('a text that is wrong in a million places is refused with the first few', () => {
  const repeated = `{${'"a":1,'.repeat(1_000_000)}"b":1}`;
  expect(faults(repeated).length).toBeLessThan(60);
});

test('bytes that are not UTF-8, too long or begin with a byte-order mark are refused', () => {
  const refused = [
    Uint8Array.of(0x22, 0xff, 0x22),
    // An overlong form of `/`.
    Uint8Array.of(0x22, 0xc0, 0xaf, 0x22),
    Uint8Array.of(0xef, 0xbb, 0xbf, 0x31),
  ];
  for (const bytes of refused) expect(parseJsonBytes(bytes, 100)).toMatchObject({ ok: false });
  expect(parseJsonBytes(strToU8('"ä😀\ufffd"'), 100)).toEqual({ ok: true, value: 'ä😀\ufffd' });
  expect(parseJsonBytes(strToU8('12345'), 4)).toMatchObject({ ok: false });
});

test('whatever JSON can hold without reserved keys comes through unchanged', () => {
  const reserved = new Set(['__proto__', 'constructor', 'prototype']);
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => (Object.is(x, -0) ? 0 : x)),
      fc.string({ unit: 'binary' }).filter((text) => isWellFormed(text)),
      fc.constantFrom(null, true, false),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.string().filter((key) => !reserved.has(key)),
        tie('value'),
        { maxKeys: 4, noNullPrototype: true },
      ),
    ),
  }));
  fc.assert(
    fc.property(value, (data) => {
      expect(parseStrictJson(JSON.stringify(data))).toEqual({ ok: true, value: data });
    }),
    fuzzRuns,
  );
});
