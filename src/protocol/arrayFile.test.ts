import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32 } from '../config/crc32';
import { parseArrayFile, writeArrayFile } from './arrayFile';

/** Layout, as the module describes it: 16 bytes, header, padding, arrays, checksum. */
const tree = {
  name: 'Größe',
  list: [{ values: Float32Array.of(1.5, -0, 3) }, { values: Int32Array.of(-7) }],
  exact: Float64Array.of(0.1, -0, Number.MAX_VALUE),
  nothing: null,
  empty: new Float64Array(),
};

const bytes = writeArrayFile(tree);

function reasonFor(file: ArrayBuffer): string {
  const parsed = parseArrayFile(file);
  if (parsed.ok) throw new Error('It was not refused.');
  return parsed.reason;
}

/** With the checksum of what it holds: a file that somebody made on purpose. */
function signed(content: Uint8Array): ArrayBuffer {
  const file = new Uint8Array(content);
  const end = file.length - 4;
  new DataView(file.buffer).setUint32(end, crc32(file.subarray(0, end)), true);
  return file.buffer;
}

/** The file with another header, arrays and checksum as they belong to it. */
function withHeader(header: string, payload = payloadOf(bytes)): ArrayBuffer {
  const padded = header.padEnd(Math.ceil((16 + header.length) / 8) * 8 - 16, '\0');
  const file = new Uint8Array(16 + padded.length + payload.length + 4);
  file.set(new Uint8Array(bytes, 0, 12));
  new DataView(file.buffer).setUint32(12, header.length, true);
  file.set(
    Uint8Array.from(padded, (character) => character.charCodeAt(0)),
    16,
  );
  file.set(payload, 16 + padded.length);
  return signed(file);
}

function headerOf(file: ArrayBuffer): string {
  const length = new DataView(file).getUint32(12, true);
  return String.fromCharCode(...new Uint8Array(file, 16, length));
}

function payloadOf(file: ArrayBuffer): Uint8Array {
  const start = Math.ceil((16 + headerOf(file).length) / 8) * 8;
  return new Uint8Array(file.slice(start, file.byteLength - 4));
}

test('what was written is read, to the sign of zero, and shares nothing with the file', () => {
  const parsed = parseArrayFile(bytes);
  expect(parsed).toEqual({ ok: true, tree });
  new Uint8Array(bytes.slice(0)).fill(0);
  expect(parsed).toEqual({ ok: true, tree });
});

test('the file is laid out as its description says', () => {
  // Keys in order; every array stands there as its type and length.
  expect(headerOf(bytes)).toBe(
    String.raw`{"empty":{"f64":0},"exact":{"f64":3},"list":[{"values":{"f32":3}},{"values":{"i32":1}}],"name":"Gr\u00f6\u00dfe","nothing":null}`,
  );
  const payload = payloadOf(bytes);
  // 24 bytes of float64, 12 + 4 of float32, 4 + 4 of int32.
  expect(payload).toHaveLength(24 + 16 + 8);
  expect(new DataView(payload.buffer).getFloat64(0, true)).toBe(0.1);
  expect(new DataView(payload.buffer).getFloat32(24, true)).toBe(1.5);
  expect(new DataView(payload.buffer).getInt32(40, true)).toBe(-7);
  expect(withHeader(headerOf(bytes))).toEqual(bytes);
});

test.each([NaN, Infinity, -Infinity])('%s is neither written nor read', (value) => {
  const faulty = { weights: [Float32Array.of(1, value)] };
  expect(() => writeArrayFile(faulty)).toThrow(`weights.0 holds ${value} at position 1`);
  const file = new Uint8Array(bytes.slice(0));
  const at = file.length - 4 - payloadOf(bytes).length;
  new DataView(file.buffer).setFloat64(at + 8, value, true);
  expect(reasonFor(signed(file))).toBe(
    `exact holds ${value} at position 1, expected finite numbers`,
  );
});

const header = headerOf(bytes);
const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;

test.each<readonly [string, ArrayBuffer, RegExp]>([
  ['nothing', new ArrayBuffer(0), /another kind/],
  ['a text', new TextEncoder().encode('{"spec": "no checkpoint"}').buffer, /another kind/],
  ['a file that is cut off', bytes.slice(0, -9), /damaged or cut off/],
  ['a file with something behind it', withTail(bytes), /damaged or cut off/],
  ['another version', withVersion(2), /version 2 and this page reads version 1/],
  ['a header as long as memory', withLength(0xffffffff), /4294967295 bytes, more than there are/],
  ['a header beyond the end', withLength(bytes.byteLength), /more than there are/],
  ['no JSON', withHeader(header.slice(0, -1)), /no JSON/],
  ['a repeated key', withHeader(header.replace('{', '{"empty":{"f64":0},')), /as this page writes/],
  ['keys in another order', withHeader(moved(header)), /as this page writes it/],
  ['spaces', withHeader(header.replace(',', ', ')), /as this page writes it/],
  ['a key of the prototype', withHeader(header.replace('"empty"', '"__proto__"')), /reserved/],
  ['a constructor', withHeader(header.replace('"empty"', '"constructor"')), /reserved/],
  ['deep nesting', withHeader(deep), /Nested deeper/],
  ['too long an array', withHeader(header.replace('"f32":3', '"f32":9')), /bytes of numbers, and/],
  ['too short an array', withHeader(header.replace('"f32":3', '"f32":1')), /bytes of numbers, and/],
  ['an endless array', withHeader(header.replace('"f32":3', '"f32":9007199254740991')), /numbers/],
  ['a negative array', withHeader(header.replace('"f32":3', '"f32":-3')), /the length -3/],
  ['half an array', withHeader(header.replace('"f32":3', '"f32":2.5')), /the length 2\.5/],
  ['a byte between the arrays', withPadding(), /between its parts/],
])('%s is refused', (_, file, reason) => {
  expect(reasonFor(file)).toMatch(reason);
});

function withTail(file: ArrayBuffer): ArrayBuffer {
  const longer = new Uint8Array(file.byteLength + 8);
  longer.set(new Uint8Array(file));
  return longer.buffer;
}

function withVersion(version: number): ArrayBuffer {
  const file = new Uint8Array(bytes.slice(0));
  new DataView(file.buffer).setUint32(8, version, true);
  return signed(file);
}

function withLength(length: number): ArrayBuffer {
  const file = new Uint8Array(bytes.slice(0));
  new DataView(file.buffer).setUint32(12, length, true);
  return signed(file);
}

function moved(text: string): string {
  const first = '"empty":{"f64":0},';
  return text.replace(first, '').replace(/\}$/, `,${first.slice(0, -1)}}`);
}

/** Not zero where nothing belongs: behind the three float32, 24 bytes of float64 and 12 of their own from the start. */
function withPadding(): ArrayBuffer {
  const payload = payloadOf(bytes);
  payload[24 + 12] = 1;
  return withHeader(header, payload);
}

test('whatever single byte is changed, the file is refused', () => {
  fc.assert(
    fc.property(fc.nat(bytes.byteLength - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const file = new Uint8Array(bytes.slice(0));
      file[at]! ^= change;
      expect(parseArrayFile(file.buffer).ok).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test('a file of any bytes, signed or not, never throws', () => {
  const edit = fc.tuple(fc.nat(bytes.byteLength - 5), fc.uint8Array({ maxLength: 12 }));
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 4 }), fc.nat(40), (edits, cut) => {
      const file = new Uint8Array(bytes.slice(0, bytes.byteLength - cut));
      for (const [at, patch] of edits) if (at + patch.length <= file.length) file.set(patch, at);
      const parsed = parseArrayFile(signed(file));
      // What is read is what would be written.
      const again = parsed.ok ? parseArrayFile(writeArrayFile(parsed.tree)) : parsed;
      expect(again).toEqual(parsed);
      expect(parsed).not.toEqual({ ok: false, reason: '' });
    }),
    { numRuns: 500 },
  );
});
