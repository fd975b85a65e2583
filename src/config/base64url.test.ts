import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBase64url, toBase64url } from './base64url';

test('bytes are written as Node writes them, and read back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const text = toBase64url(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64url'));
      expect(parseBase64url(text)).toEqual(bytes);
    }),
  );
});

test.each(['A', 'AAAAA', 'AA==', 'AA A', 'A+/A', 'Aé'])('%s is not base64url', (text) => {
  expect(parseBase64url(text)).toBeNull();
});
