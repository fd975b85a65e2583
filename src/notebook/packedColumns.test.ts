import { zlibSync } from 'fflate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBase64url } from '../config/base64url';
import { pack, packFloat64, packInt32, unpack, unpackFloat64, unpackInt32 } from './packedColumns';

test('bytes of equal weight stand side by side, the least significant first', () => {
  // 1 = 01 00 00 00 and 513 = 01 02 00 00, little-endian.
  expect(unpack(packInt32(Int32Array.of(1, 513)), 8)).toEqual(
    Uint8Array.of(1, 1, 0, 2, 0, 0, 0, 0),
  );
  // 1 = 0x3FF0000000000000, −2 = 0xC000000000000000
  expect(unpack(packFloat64(Float64Array.of(1, -2)), 16)).toEqual(
    Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0, 0x3f, 0xc0),
  );
});

test('every float64 comes back bit by bit, also NaN, ±Infinity, −0 and denormals', () => {
  fc.assert(
    fc.property(fc.float64Array({ maxLength: 300 }), (values) => {
      const back = unpackFloat64(packFloat64(values), values.length);
      expect(typeof back === 'string' ? back : new Uint8Array(back.buffer)).toEqual(
        new Uint8Array(values.slice().buffer),
      );
    }),
  );
});

test('every int32 comes back', () => {
  fc.assert(
    fc.property(fc.int32Array({ maxLength: 300 }), (values) => {
      expect(unpackInt32(packInt32(values), values.length)).toEqual(values);
    }),
  );
});

test('another number of values than the text holds is refused with both', () => {
  const text = packFloat64(Float64Array.of(1, 2, 3));
  expect(unpackFloat64(text, 4)).toBe('24 bytes came, expected 32 (4 numbers)');
  expect(unpackFloat64(text, 2)).toBe('it unpacks to more than the 16 bytes that it may hold');
});

test('a small text that inflates to a lot is left as soon as it passes the limit', () => {
  const bomb = pack(new Uint8Array(50_000_000));
  expect(bomb.length).toBeLessThan(100_000);
  expect(unpack(bomb, 1000)).toContain('more than the 1000 bytes');
});

test('what is no base64url or does not inflate is refused in words', () => {
  expect(unpack('a+b/', 10)).toContain('base64url');
  expect(unpack(toBase64url(zlibSync(Uint8Array.of(1, 2, 3))), 10)).toEqual(expect.any(String));
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      const bytes = unpack(text, 64);
      expect(typeof bytes === 'string' || bytes.length <= 64).toBe(true);
    }),
  );
});
