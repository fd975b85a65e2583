import { expect, test } from 'vitest';
import { formatSigned, logprobText, newerText, tintShare, turnSentence } from './episodeText';
import { madeUpTurn } from './testing/madeUpTranscript';

test('rewards and advantages have their sign, nothing has none', () => {
  expect(formatSigned(0.7131)).toBe('+0.713');
  expect(formatSigned(-0.5)).toBe('−0.500');
  expect(formatSigned(0)).toBe('0');
  expect(formatSigned(NaN)).toBe('NaN');
});

test('a certain token has no tint, one of 3 nats of surprise or more the full tint', () => {
  expect(tintShare(0)).toBe(0);
  expect(tintShare(-1.5)).toBe(0.5);
  expect(tintShare(-3)).toBe(1);
  expect(tintShare(-Infinity)).toBe(1);
  expect(tintShare(NaN)).toBe(0);
});

test('a log-probability is also told as a probability', () => {
  // e^−0.693 = 1/2
  expect(logprobText(-Math.LN2)).toBe('log-probability −0.693 nats, probability 0.500');
});

test('a step says whose turn it was, what was written and what it earned', () => {
  const turn = madeUpTurn({ actionTokens: ['TELL', 'K1'], reward: 1, advantage: -0.25 });
  expect(turnSentence(turn, 1, 4)).toBe(
    'Turn 2 of 4: solver writes TELL K1; reward +1.00, advantage −0.250.',
  );
});

test('one iteration is not several', () => {
  expect([newerText(1), newerText(3)]).toEqual(['1 newer iteration', '3 newer iterations']);
});
