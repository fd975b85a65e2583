import { strFromU8, strToU8, unzipSync, zipSync, type Zippable } from 'fflate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32 } from '../config/crc32';
import { readZip } from './readZip';
import { fuzzRuns } from './testing/fuzzRuns';
import { writeZip } from './writeZip';
import { centralHeader, localHeader, zipLimits, type ZipLimits } from './zipFormat';
import { zipNameFault } from './zipNames';

const files = new Map([
  ['b/c.txt', strToU8('hello '.repeat(100))],
  ['a.bin', Uint8Array.of(1, 2, 3)],
]);

function faults(zip: Uint8Array, limits: Partial<ZipLimits> = {}): string {
  const parsed = readZip(zip, { ...zipLimits, ...limits });
  return parsed.ok
    ? ''
    : parsed.issues.map(({ path, message }) => `${path}: ${message}`).join('\n');
}

/** An archive by another program: fflate's own. */
function theirs(content: Zippable): Uint8Array {
  return zipSync(content, { mtime: new Date(1990, 5, 5), level: 9 });
}

/** Changes one field of the only file's central header, and of its local one where both have it. */
function tampered(
  zip: Uint8Array,
  change: (central: DataView, local: DataView) => void,
): Uint8Array {
  const copy = zip.slice();
  const end = new DataView(copy.buffer, copy.length - 22);
  change(new DataView(copy.buffer, end.getUint32(16, true)), new DataView(copy.buffer));
  return copy;
}

test('the CRC is that of the specification', () => {
  // The check value of CRC-32/ISO-HDLC.
  expect(crc32(strToU8('123456789'))).toBe(0xcbf43926);
});

test('another program reads what we write', () => {
  const read = unzipSync(writeZip(files));
  expect(Object.keys(read)).toEqual(['a.bin', 'b/c.txt']);
  expect(read['a.bin']).toEqual(files.get('a.bin'));
  expect(strFromU8(read['b/c.txt']!)).toBe('hello '.repeat(100));
});

const anyFiles = fc
  .uniqueArray(
    fc.record({
      name: fc
        .array(fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,8}$/), {
          minLength: 1,
          maxLength: 3,
        })
        .map((parts) => parts.join('/'))
        .filter((name) => zipNameFault(name) === null),
      bytes: fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.nat(200_000).map((length) => new Uint8Array(length)),
      ),
    }),
    { selector: ({ name }) => name.toLowerCase(), maxLength: 5 },
  )
  .map((drawn) => new Map(drawn.map(({ name, bytes }) => [name, bytes])));

test('we read what we write, byte for byte, in any order', () => {
  fc.assert(
    fc.property(anyFiles, (content) => {
      const zip = writeZip(content);
      const parsed = readZip(zip, zipLimits);
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
      expect([...parsed.value.keys()].toSorted()).toEqual([...content.keys()].toSorted());
      // Compared as buffers: a matcher takes seconds for arrays of this length.
      for (const [name, bytes] of content)
        expect(Buffer.compare(parsed.value.get(name)!, bytes)).toBe(0);
      expect(Buffer.compare(writeZip(new Map([...content].toReversed())), zip)).toBe(0);
      expect(Buffer.compare(writeZip(parsed.value), zip)).toBe(0);
    }),
    fuzzRuns,
  );
});

test('we read what another program writes', () => {
  const parsed = readZip(
    theirs({ 'x.txt': strToU8('x'.repeat(500)), 'y.txt': [strToU8('y'), { level: 0 }] }),
    zipLimits,
  );
  expect(parsed.ok && [...parsed.value].map(([name, bytes]) => [name, strFromU8(bytes)])).toEqual([
    ['x.txt', 'x'.repeat(500)],
    ['y.txt', 'y'],
  ]);
});

test.each([
  ['../x', /leaves or repeats/],
  ['a/../../x', /leaves or repeats/],
  ['./x', /leaves or repeats/],
  ['/etc/x', /absolute/],
  ['C:x', /absolute/],
  [String.raw`a\x`, /backslash/],
  ['a/', /directory/],
  ['a//x', /something else/],
  ['__proto__', /JavaScript keeps/],
  ['a/constructor', /JavaScript keeps/],
  ['a\u0000', /something else/],
  ['ä', /something else/],
  ['.hidden', /something else/],
  ['a/x.', /Windows reads/],
  ['checkpoints/aux/a', /Windows reads/],
  ['COM1.txt', /Windows reads/],
  ['a b', /something else/],
  ['x'.repeat(201), /201 characters/],
])('a file named %j is refused by reader and writer', (name, message) => {
  // Under a harmless name of the same length first: fflate keeps no name of the object model.
  const zip = theirs({ ['q'.repeat(strToU8(name).length)]: strToU8('x') });
  const text = strToU8(name);
  const patched = zip.slice();
  const central = new DataView(patched.buffer).getUint32(patched.length - 6, true);
  patched.set(text, localHeader.size);
  patched.set(text, central + centralHeader.size);
  expect(faults(patched)).toMatch(message);
  expect(() => writeZip(new Map([[name, text]]))).toThrow(message);
});

test('two files of one name, or of names that differ in case only, are refused', () => {
  const zip = theirs({ 'aa.txt': strToU8('1'), 'ab.txt': strToU8('2') });
  const text = strFromU8(zip, true);
  const same = (name: string): Uint8Array => strToU8(text.replaceAll('ab.txt', name), true);
  expect(faults(same('aa.txt'))).toMatch(/^aa\.txt: Is there twice/);
  expect(faults(same('AA.txt'))).toMatch(/^AA\.txt: Is there twice/);
  const byCase = new Map(['a', 'A'].map((name) => [name, strToU8(name)]));
  expect(() => writeZip(byCase)).toThrow(/twice/);
});

const bomb = theirs({ 'bomb.txt': new Uint8Array(1_000_000) });

test('a bomb is refused by its ratio before it is inflated, and by total size', () => {
  expect(faults(bomb)).toMatch(
    /^bomb\.txt: Unpacks \d+ bytes to 1000000, expected at most 250 times/,
  );
  expect(faults(bomb, { maxRatio: 2000, maxTotalBytes: 999_999 })).toMatch(
    /^: Unpacks to 1000000 bytes/,
  );
  expect(faults(bomb, { maxRatio: 2000 })).toBe('');
});

test('a bomb that declares a small size is stopped while inflating', () => {
  const liar = tampered(bomb, (central, local) => {
    central.setUint32(centralHeader.fullSize, 1000, true);
    local.setUint32(22, 1000, true);
  });
  expect(faults(liar)).toBe('bomb.txt: Unpacks to more than the 1000 bytes it says.');
});

test('a size that is declared too large is noticed', () => {
  const liar = tampered(theirs({ x: strToU8('x'.repeat(500)) }), (central, local) => {
    central.setUint32(centralHeader.fullSize, 501, true);
    local.setUint32(22, 501, true);
  });
  expect(faults(liar)).toBe('x: Unpacks to 500 bytes, but says 501.');
});

test('a single changed bit is noticed by the CRC', () => {
  const zip = writeZip(new Map([['x', Uint8Array.of(1, 2, 3)]]));
  zip[localHeader.size + 1]! ^= 1;
  expect(faults(zip)).toMatch(/^x: Is damaged: its CRC/);
});

test('two headers that disagree are refused', () => {
  const zip = tampered(theirs({ x: strToU8('x') }), (central) =>
    central.setUint32(centralHeader.crc, 7, true),
  );
  expect(faults(zip)).toMatch(/two headers differ/);
});

test('entries that share bytes or leave some over are refused', () => {
  const zip = writeZip(files);
  const overlapping = tampered(zip, (central) => {
    // The second entry of the directory points to the first file.
    central.setUint32(centralHeader.size + 'a.bin'.length + centralHeader.offset, 0, true);
  });
  expect(faults(overlapping)).toMatch(/^b\/c\.txt: Begins at 0, expected/);
  const prefixed = new Uint8Array([0, ...zip]);
  expect(faults(prefixed)).toMatch(/not where it says/);
  expect(faults(new Uint8Array([...zip, 0]))).toMatch(/cut off or has a comment/);
});

test.each([
  ['encryption', (view: DataView) => view.setUint16(centralHeader.flags, 1, true), /encrypted/],
  [
    'another method',
    (view: DataView) => view.setUint16(centralHeader.method, 14, true),
    /another method/,
  ],
  [
    'an extra field',
    (view: DataView) => view.setUint16(centralHeader.extraLength, 4, true),
    /extra fields/,
  ],
])('%s is refused', (_what, change, message) => {
  expect(faults(tampered(theirs({ x: strToU8('x') }), change))).toMatch(message);
});

test('files that fit the limit only without their headers are not written, as they could not be read', () => {
  const whole = new Uint8Array(zipLimits.maxTotalBytes);
  expect(() => writeZip(new Map([['x', whole]]))).toThrow(/too many for one archive/);
});

test('too many files are refused by their number alone', () => {
  const zip = writeZip(files);
  expect(faults(zip, { maxEntries: 1 })).toMatch(/has 2 files, expected at most 1/);
});

test('any bytes are files or issues, never an exception, and within the limits', () => {
  const base = [...writeZip(files)];
  const damaged = fc
    .array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
    .map((changes) => {
      const zip = Uint8Array.from(base);
      for (const [at, byte] of changes) zip[at] = byte;
      return zip;
    });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), damaged), (zip) => {
      const parsed = readZip(zip, { ...zipLimits, maxTotalBytes: 4096 });
      const total = parsed.ok
        ? [...parsed.value.values()].reduce((n, { length }) => n + length, 0)
        : 0;
      expect(total).toBeLessThanOrEqual(4096);
      expect(parsed.ok || parsed.issues.length > 0).toBe(true);
    }),
    fuzzRuns,
  );
});
