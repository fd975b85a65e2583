import { expect, test } from 'vitest';
import { formatCount, formatNumber } from '../../metrics/format';
import { numberToTex, renderFormula } from './formula';

test.each([
  [formatNumber(-0.5), '-0.500'],
  [formatNumber(12_345), '12{,}345'],
  [formatNumber(-Infinity), String.raw`-\infty `],
  [formatNumber(NaN), String.raw`\mathrm{NaN}`],
  [formatNumber(1.234e12), String.raw`1.23\times 10^{12}`],
  [formatNumber(1.234e-10), String.raw`1.23\times 10^{-10}`],
  [formatCount(4_560_000), String.raw`4.56\mathrm{M}`],
  ['–', String.raw`\text{–}`],
])('%s as TeX is %s', (text, tex) => {
  expect(numberToTex(text)).toBe(tex);
  expect(renderFormula(tex, false).ok).toBe(true);
});

test('a formula that is too long is refused with its length', () => {
  const rendered = renderFormula('x'.repeat(5001), false);
  expect(rendered).toMatchObject({ ok: false, message: expect.stringContaining('5001') });
});

test.each([
  String.raw`\def\a{\a\a}\a`,
  String.raw`\gdef\a{x}\a`,
  String.raw`\newcommand{\a}{x}\a`,
  String.raw`\providecommand\a{x}`,
  String.raw`\let\a=x`,
  String.raw`\futurelet\a x`,
  String.raw`\global\def\a{x}`,
  String.raw`\long\edef\a{x}`,
])('%s defines a command and is refused', (tex) => {
  expect(renderFormula(tex, false)).toMatchObject({
    ok: false,
    message: expect.stringContaining('defines a command'),
  });
});

test('commands whose names begin like those are commands', () => {
  expect(renderFormula(String.raw`\left( \det \leq x \right)`, false).ok).toBe(true);
});
