import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCount, formatDuration, formatNumber, formatTick } from './format';

test('numbers have three significant digits, whole ones from a thousand on', () => {
  expect([0, 0.93449, 1, 12.34, 123.4, 999.6, 12345.6].map(formatNumber)).toEqual([
    '0',
    '0.934',
    '1.00',
    '12.3',
    '123',
    '1,000',
    '12,346',
  ]);
});

test('very small and very large numbers have a power of ten', () => {
  expect([0.000123, 999_999.6, 1.5e12, -2e-10].map(formatNumber)).toEqual([
    '1.23×10⁻⁴',
    '1.00×10⁶',
    '1.50×10¹²',
    '−2.00×10⁻¹⁰',
  ]);
});

test('NaN and the infinities are named', () => {
  expect([NaN, Infinity, -Infinity].map(formatNumber)).toEqual(['NaN', '∞', '−∞']);
});

test('a printed number reads back to within half a unit of its third digit', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: -1e300, max: 1e300 }), (value) => {
      const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹';
      const plain = formatNumber(value)
        .replaceAll(',', '')
        .replace('−', '-')
        .replace('×10', 'e')
        .replace('⁻', '-')
        .replaceAll(/[⁰¹²³⁴-⁹]/g, (sign) => String(digits.indexOf(sign)));
      expect(Math.abs(Number(plain) - value)).toBeLessThanOrEqual(0.00501 * Math.abs(value));
    }),
  );
});

test('axis labels are the shortest exact form', () => {
  expect([0, 0.2, 20, -5, 1000, 10_000, 0.001, 2e-5, 0.1 + 0.2].map(formatTick)).toEqual([
    '0',
    '0.2',
    '20',
    '−5',
    '1000',
    '10⁴',
    '10⁻³',
    '2×10⁻⁵',
    '0.3',
  ]);
});

test('counts are whole below a thousand and have a letter above', () => {
  expect([0, 950, 12_345, 182_000, 999_600, 4_560_000, 2e9].map(formatCount)).toEqual([
    '0',
    '950',
    '12.3k',
    '182k',
    '1.00M',
    '4.56M',
    '2.00G',
  ]);
});

test('durations go from ms to s to clock form', () => {
  // 72 s = 1:12, 3723 s = 1:02:03, 59.97 s rounds to a full minute
  expect([0, 850, 12_340, 59_970, 72_000, 3_723_000].map(formatDuration)).toEqual([
    '0 ms',
    '850 ms',
    '12.3 s',
    '1:00',
    '1:12',
    '1:02:03',
  ]);
});
