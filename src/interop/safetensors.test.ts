import { strToU8 } from 'fflate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { float32Values } from './float32Values';
import { parseSafetensors } from './safetensors';
import { fuzzRuns } from './testing/fuzzRuns';
import { isWellFormed } from './testing/isWellFormed';
import { readSafetensors } from './testing/readSafetensors';
import { writeSafetensors } from './writeSafetensors';

/** A file with any header text, padded with spaces, and so many bytes of numbers. */
function fileOf(header: string | object, numBytes: number): Uint8Array {
  const text = typeof header === 'string' ? header : JSON.stringify(header);
  const json = strToU8(text.padEnd(Math.ceil(text.length / 8) * 8));
  const file = new Uint8Array(8 + json.length + numBytes);
  new DataView(file.buffer).setBigUint64(0, BigInt(json.length), true);
  file.set(json, 8);
  return file;
}

function faults(file: Uint8Array): string[] {
  const parsed = parseSafetensors(file);
  return parsed.ok ? [] : parsed.issues.map(({ path, message }) => `${path}: ${message}`);
}

const f32 = (begin: number, end: number, shape = [(end - begin) / 4]): object => ({
  dtype: 'F32',
  shape,
  data_offsets: [begin, end],
});

test('a file has the bytes that the format describes', () => {
  const file = writeSafetensors([{ name: 'w', shape: [2], values: Float32Array.of(1, -2) }], {
    format: 'pt',
  });
  const json =
    '{"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}';
  // 85 characters are padded to 88, so that the numbers begin at 96.
  expect(json).toHaveLength(85);
  expect([...file.subarray(0, 8)]).toEqual([88, 0, 0, 0, 0, 0, 0, 0]);
  expect(Buffer.from(file.subarray(8, 96)).toString()).toBe(`${json}   `);
  // 1 = 0x3f800000 and −2 = 0xc0000000, little-endian.
  expect([...file.subarray(96)]).toEqual([0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]);
});

const named = fc.uniqueArray(
  fc.record({
    name: fc
      .string({ unit: 'binary', maxLength: 8 })
      .filter(
        (name) =>
          isWellFormed(name) &&
          !['__proto__', '__metadata__', 'constructor', 'prototype'].includes(name),
      ),
    values: fc.float32Array({ maxLength: 12 }),
    isRow: fc.boolean(),
  }),
  { selector: ({ name }) => name, maxLength: 6 },
);

test('an independent reader and ours read what was written, bit for bit', () => {
  fc.assert(
    fc.property(named, fc.boolean(), (drawn, reverse) => {
      const tensors = drawn.map(({ name, values, isRow }) => ({
        name,
        values,
        shape: isRow ? [1, values.length] : [values.length],
      }));
      const file = writeSafetensors(reverse ? tensors.toReversed() : tensors, { a: 'b' });
      expect(file).toEqual(writeSafetensors(tensors, { a: 'b' }));
      const other = readSafetensors(file);
      const parsed = parseSafetensors(file);
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
      expect(parsed.value.metadata).toEqual(new Map([['a', 'b']]));
      expect(parsed.value.tensors).toHaveLength(tensors.length);
      const ours = new Map(parsed.value.tensors.map((tensor) => [tensor.name, tensor]));
      for (const { name, shape, values } of tensors) {
        expect(other.get(name)).toEqual({ shape, values: [...values] });
        expect(ours.get(name)?.shape).toEqual(shape);
        expect(ours.get(name)?.bytes).toEqual(new Uint8Array(values.buffer));
      }
    }),
    fuzzRuns,
  );
});

test('empty tensors and scalars are tensors', () => {
  const parsed = parseSafetensors(fileOf({ a: f32(0, 4, []), b: f32(4, 4, [3, 0]) }, 4));
  expect(parsed).toMatchObject({ ok: true, value: { tensors: [{ name: 'a' }, { name: 'b' }] } });
});

test('a length that does not fit the file is refused before anything is read', () => {
  expect(faults(new Uint8Array(7))).toEqual([
    ': The file has 7 bytes, expected at least 8: it was cut off.',
  ]);
  const long = new Uint8Array(16);
  new DataView(long.buffer).setBigUint64(0, 2n ** 63n, true);
  expect(faults(long)[0]).toMatch(
    /^header: .* 9223372036854775808 bytes, expected at most 1048576/,
  );
  new DataView(long.buffer).setBigUint64(0, 16n, true);
  expect(faults(long)[0]).toMatch(/16 bytes and 8 follow: the file was cut off/);
});

test('numbers must begin at a multiple of eight, and the header with a brace', () => {
  const file = new Uint8Array(8 + 3 + 4);
  file.set([3], 0);
  file.set(strToU8('{} '), 8);
  expect(faults(file)[0]).toMatch(/begin at byte 11, expected a multiple of 8/);
  expect(faults(fileOf(' {}', 0))[0]).toMatch(/does not begin with \{/);
});

test.each([
  [
    'repeated names',
    '{"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}',
    /header\.a: The key came twice/,
  ],
  [
    'a name of the object model',
    '{"__proto__":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}',
    /__proto__ is reserved/,
  ],
  ['another dtype', { a: { ...f32(0, 0), dtype: 'F8' } }, /^header\.a\.dtype: "F8" came/],
  ['a dtype of the object model', { a: { ...f32(0, 0), dtype: 'toString' } }, /header\.a\.dtype/],
  ['a negative length', { a: f32(0, 0, [-1]) }, /header\.a\.shape/],
  ['a fraction', { a: f32(0, 2, [0.5]) }, /header\.a\.shape/],
  ['too many axes', { a: f32(0, 4, [1, 1, 1, 1, 1, 1, 1, 1, 1]) }, /at most 8/],
  ['one offset', { a: { ...f32(0, 0), data_offsets: [0] } }, /header\.a\.data_offsets/],
  [
    'offsets beyond exact numbers',
    '{"a":{"dtype":"U8","shape":[0],"data_offsets":[9007199254740993,9007199254740993]}}',
    /data_offsets/,
  ],
  ['another key', { a: { ...f32(0, 0), strides: [1] } }, /header\.a\.strides: Not part/],
  ['metadata that is not text', { __metadata__: { a: 1 } }, /__metadata__\.a: 1 came/],
  [
    'a shape that does not fit the range',
    { a: f32(0, 8, [3]) },
    /is 8 bytes, but \[3\] of F32 takes 12/,
  ],
  ['a product that overflows', { a: f32(0, 8, [2 ** 52, 2 ** 52, 0.25 * 2 ** 2]) }, /takes/],
  ['an end before the begin', { a: f32(8, 0, [0]) }, /is -8 bytes/],
  [
    'an unaligned begin',
    { a: { dtype: 'U8', shape: [1], data_offsets: [0, 1] }, b: f32(1, 5) },
    /Begins at 1, expected a multiple of 4/,
  ],
  ['overlapping ranges', { a: f32(0, 8), b: f32(4, 8) }, /^header\.b: Begins at 4, inside/],
  ['two names for one range', { a: f32(0, 8), b: f32(0, 8) }, /inside the tensor before it/],
  ['a hole', { a: f32(0, 4), b: f32(8, 16) }, /bytes 4 to 8 are no tensor’s/],
  ['a hole at the start', { a: f32(4, 8) }, /bytes 0 to 4/],
  ['a range past the end', { a: f32(0, 32) }, /Ends at 32, but the file has 16 bytes/],
  ['bytes left over', { a: f32(0, 8) }, /^: The last 8 bytes are no tensor’s/],
  ['a list for a header', '{"a":[]}', /A list of 0 came/],
  ['a cut header', '{"a":', /expected JSON/],
])('%s: refused with the place', (_name, header, message) => {
  expect(faults(fileOf(header, 16)).join('\n')).toMatch(message);
});

/** The float32 values of 16-bit patterns. */
function widened(dtype: 'F16' | 'BF16', bits: number[]): number[] {
  const bytes = new Uint8Array(Uint16Array.from(bits).buffer);
  return [...float32Values({ name: '', dtype, shape: [bits.length], bytes })!];
}

test('float16 and bfloat16 widen to the float32 of the same value', () => {
  // IEEE 754: 0x3c00 = 1, 0xc000 = −2, 0x7bff = 65504, 0x0001 = 2⁻²⁴, 0x0400 = 2⁻¹⁴, 0x3555 = (1 + 341/1024)/4.
  expect(widened('F16', [0x3c00, 0xc000, 0x7bff, 0x0001, 0x0400, 0x3555])).toEqual([
    1,
    -2,
    65504,
    2 ** -24,
    2 ** -14,
    (1 + 341 / 1024) / 4,
  ]);
  expect(widened('F16', [0x7c00, 0xfc00, 0x7e00, 0x8000])).toEqual([Infinity, -Infinity, NaN, -0]);
  expect(widened('BF16', [0x3f80, 0xc000, 0x7f80])).toEqual([1, -2, Infinity]);
  expect(float32Values({ name: '', dtype: 'I8', shape: [0], bytes: new Uint8Array(0) })).toBeNull();
});

/** Bytes after the header of a file that has one. */
function numbersIn(file: Uint8Array): number {
  const view = new DataView(file.buffer, file.byteOffset);
  return file.length - 8 - Number(view.getBigUint64(0, true));
}

test('any bytes are a file or issues, never an exception', () => {
  const damaged = fc
    .tuple(
      fc.uint8Array({ maxLength: 64 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
    )
    .map(([tail, changes]) => {
      const file = new Uint8Array([
        ...fileOf({ a: f32(0, 8), b: f32(8, 16, [2, 1]) }, 16),
        ...tail,
      ]);
      for (const [at, byte] of changes) file[at % file.length] = byte;
      return file;
    });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), damaged), (file) => {
      const parsed = parseSafetensors(file);
      // What is taken covers the numbers exactly.
      const numBytes = parsed.ok ? parsed.value.tensors.map(({ bytes }) => bytes.length) : [];
      const covered = numBytes.reduce((sum, length) => sum + length, 0);
      expect(parsed.ok ? covered === numbersIn(file) : parsed.issues.length > 0).toBe(true);
    }),
    fuzzRuns,
  );
});

test('a writer that is given nonsense says so', () => {
  const one = { name: 'a', shape: [1], values: Float32Array.of(1) };
  expect(() => writeSafetensors([{ ...one, shape: [2] }], {})).toThrow(/shape \[2\] and 1 numbers/);
  expect(() => writeSafetensors([one, one], {})).toThrow(/is taken/);
  expect(() => writeSafetensors([{ ...one, name: '__metadata__' }], {})).toThrow(/is taken/);
  for (const name of ['__proto__', 'constructor', 'prototype'])
    expect(() => writeSafetensors([{ ...one, name }], {})).toThrow(/is taken/);
});

test('numbers are those of the file, also where Node’s Buffer holds it among other bytes', () => {
  const file = writeSafetensors([{ name: 'w', shape: [2], values: Float32Array.of(1, -2) }], {});
  // Its `slice` copies nothing, unlike that of other arrays, and this one begins at an odd byte.
  const buffer = Buffer.concat([Buffer.alloc(3), file]).subarray(3);
  const parsed = parseSafetensors(buffer);
  expect(parsed.ok && parsed.value.tensors.map(float32Values)).toEqual([Float32Array.of(1, -2)]);
});
