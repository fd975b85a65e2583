import { expect, test } from 'vitest';
import { keepingText, sizeText } from './keepingText';

const full = { kind: 'full', usage: 12_000_000, quota: 12_000_000 } as const;

test('a kept run says up to which iteration, also where that is its start', () => {
  expect(keepingText({ kind: 'kept', iteration: 120 }, true).full).toBe('Kept up to iteration 120');
  expect(keepingText({ kind: 'kept', iteration: 0 }, true).full).toBe('Kept up to its start');
  expect(keepingText({ kind: 'kept', iteration: 120 }, true).isProblem).toBe(false);
});

test('full storage is said with its amounts, what goes on and what is safe', () => {
  const keeping = { kind: 'notKept', reason: full, iteration: 57 } as const;
  expect(keepingText(keeping, true)).toEqual({
    full: 'Not kept: the browser’s storage is full (12 MB of 12 MB). The run goes on in memory; kept up to iteration 57.',
    short: 'Kept only up to 57',
    isProblem: true,
  });
  // Over, nothing goes on.
  expect(keepingText(keeping, false).full).toBe(
    'Not kept: the browser’s storage is full (12 MB of 12 MB). Kept up to iteration 57.',
  );
});

test('amounts that the browser does not tell are not made up', () => {
  const reason = { ...full, quota: null };
  expect(keepingText({ kind: 'notKept', reason, iteration: null }, false).full).toBe(
    'Not kept: the browser’s storage is full.',
  );
});

test('a window that may not store says so, and promises nothing', () => {
  const keeping = { kind: 'notKept', reason: { kind: 'forbidden' }, iteration: null } as const;
  expect(keepingText(keeping, true).full).toBe(
    'Not kept: this window may not store anything (private window?). The run goes on in memory.',
  );
  expect(keepingText(keeping, true).short).toBe('Not kept');
});

test('bytes are counted as file managers do, and never rounded to 1000 of a unit', () => {
  expect([0, 1, 840_000, 999_400, 999_600, 1_234_567, 12_000_000, 1.4e9].map(sizeText)).toEqual([
    '0 kB',
    '1 kB',
    '840 kB',
    '999 kB',
    '1.0 MB',
    '1.2 MB',
    '12 MB',
    '1.4 GB',
  ]);
});
