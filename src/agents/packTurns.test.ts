import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketSize, packTurns, type TurnArrays } from './packTurns';

/** Turns with one prompt token and one action token each. */
function oneTokenTurns(
  turns: readonly {
    prompt: number;
    action: number;
    old?: number;
    advantage?: number;
    weight?: number;
    factor?: number;
  }[],
): TurnArrays {
  return {
    promptTokens: Int32Array.from(turns, ({ prompt }) => prompt),
    promptLengths: new Int32Array(turns.length).fill(1),
    promptWidth: 1,
    actionTokens: Int32Array.from(turns, ({ action }) => action),
    actionLengths: new Int32Array(turns.length).fill(1),
    actionWidth: 1,
    oldLogprobs: Float32Array.from(turns, ({ old }) => old ?? -1),
    advantages: Float32Array.from(turns, ({ advantage }) => advantage ?? 1),
    weights: Float32Array.from(turns, ({ weight }) => weight ?? 1),
    lossFactors: Float32Array.from(turns, ({ factor }) => factor ?? 1),
  };
}

const total = (numTokens: number, numTurns: number) => ({
  numTokens,
  numTurns,
  maxActionTokens: 4,
});
const sum = (values: Float32Array): number => values.reduce((a, b) => a + b, 0);
const positive = (values: Float32Array): number[] => [...values].filter((value) => value > 0);

test('equal turns become one with their number as count and their summed weight', () => {
  // Three equal turns and one with another advantage, of four tokens in all: weights of 3/4 and 1/4.
  const same = { prompt: 5, action: 2 };
  const turns = oneTokenTurns([same, same, { ...same, advantage: -1 }, same]);
  const packed = packTurns(turns, [0, 1, 2, 3], 'tokenMean', total(4, 4));
  expect(positive(packed.turnCounts)).toEqual([3, 1]);
  expect(positive(packed.tokenWeights)).toEqual([0.75, 0.25]);
  expect([...packed.advantages.subarray(0, 2)]).toEqual([1, -1]);
  // One prompt, so one sequence with one site that all four tokens were drawn from.
  expect(positive(packed.siteCounts)).toEqual([4]);
  expect(packed.siteRows[0]).toBe(0);
  expect(packed.numActionTokens).toBe(4);
});

test('turns whose old log-probabilities differ stay apart: their ratios differ', () => {
  const turns = oneTokenTurns([
    { prompt: 5, action: 2, old: -1 },
    { prompt: 5, action: 2, old: -2 },
  ]);
  const packed = packTurns(turns, [0, 1], 'tokenMean', total(2, 2));
  expect(positive(packed.turnCounts)).toEqual([1, 1]);
});

test('turns that differ in where the prompt ends stay apart although their tokens are the same', () => {
  // [7] then 8, 9 and [7, 8] then 9: one sequence 7 8, with two sites or one.
  const turns: TurnArrays = {
    promptTokens: Int32Array.of(7, 0, 7, 8),
    promptLengths: Int32Array.of(1, 2),
    promptWidth: 2,
    actionTokens: Int32Array.of(8, 9, 9, 0),
    actionLengths: Int32Array.of(2, 1),
    actionWidth: 2,
    oldLogprobs: Float32Array.of(-1, -1, -1, 0),
    advantages: Float32Array.of(1, 1),
    weights: new Float32Array(2).fill(1),
    lossFactors: new Float32Array(4).fill(1),
  };
  const packed = packTurns(turns, [0, 1], 'tokenMean', total(3, 2));
  expect(positive(packed.turnCounts)).toEqual([1, 1]);
  expect([...packed.mask.subarray(0, 4)]).toEqual([1, 1, 1, 0]);
  // The second site is shared: 9 was drawn there twice.
  expect(positive(packed.siteCounts)).toEqual([1, 2]);
});

test('the sequence of a turn is its prompt and all action tokens but the last, with a site before each action token', () => {
  const turns: TurnArrays = {
    promptTokens: Int32Array.of(7, 8, 0),
    promptLengths: Int32Array.of(2),
    promptWidth: 3,
    actionTokens: Int32Array.of(1, 2, 3),
    actionLengths: Int32Array.of(3),
    actionWidth: 3,
    oldLogprobs: Float32Array.of(-1, -2, -3),
    advantages: Float32Array.of(0.5),
    weights: new Float32Array(1).fill(1),
    lossFactors: new Float32Array(3).fill(1),
  };
  const packed = packTurns(turns, [0], 'tokenMean', total(3, 1));
  expect(packed.length).toBe(4);
  expect([...packed.tokens.subarray(0, 4)]).toEqual([7, 8, 1, 2]);
  // Prompt of two: the first action token is predicted at position 1, the others at 2 and 3.
  expect([...packed.siteRows.subarray(0, 3)]).toEqual([1, 2, 3]);
  expect([...packed.turnSites.subarray(0, 3)]).toEqual([0, 1, 2]);
  expect([...packed.turnTokens.subarray(0, 3)]).toEqual([1, 2, 3]);
  expect([...packed.oldLogprobs.subarray(0, 3)]).toEqual([-1, -2, -3]);
});

test.each([
  // Two turns of 1 and 3 action tokens, 4 tokens in all, at most 4 per turn.
  ['tokenMean', [1 / 4, 1 / 4, 1 / 4, 1 / 4]],
  ['sequenceMean', [1 / 2, 1 / 6, 1 / 6, 1 / 6]],
  ['constantLength', [1 / 8, 1 / 8, 1 / 8, 1 / 8]],
] as const)(
  'aggregation %s weighs the tokens of a short and a long turn',
  (aggregation, weights) => {
    const turns: TurnArrays = {
      promptTokens: Int32Array.of(7, 8),
      promptLengths: Int32Array.of(1, 1),
      promptWidth: 1,
      actionTokens: Int32Array.of(1, 0, 0, 1, 2, 3),
      actionLengths: Int32Array.of(1, 3),
      actionWidth: 3,
      oldLogprobs: new Float32Array(6).fill(-1),
      advantages: Float32Array.of(1, 1),
      weights: new Float32Array(2).fill(1),
      lossFactors: new Float32Array(6).fill(1),
    };
    const packed = packTurns(turns, [0, 1], aggregation, total(4, 2));
    const got = positive(packed.tokenWeights);
    expect(got).toHaveLength(4);
    for (const [index, weight] of weights.entries()) expect(got[index]).toBeCloseTo(weight, 7);
  },
);

test('a turn of weight w counts w times', () => {
  const turns = oneTokenTurns([
    { prompt: 5, action: 2, weight: 1.5 },
    { prompt: 5, action: 3, weight: 0.5 },
  ]);
  const packed = packTurns(turns, [0, 1], 'tokenMean', total(2, 2));
  expect(positive(packed.turnCounts)).toEqual([1.5, 0.5]);
  expect(positive(packed.tokenWeights)).toEqual([0.75, 0.25]);
  expect(packed.numActionTokens).toBe(2);
});

test('no turns is an error that says what to do', () => {
  expect(() => packTurns(oneTokenTurns([]), [], 'tokenMean', total(1, 1))).toThrow(
    'leave out agents that did not act',
  );
});

test('the bucket of a count is the smallest of 8, 12, 16, 24, … that holds it', () => {
  expect([0, 1, 8, 9, 12, 13, 17, 24, 25, 100].map(bucketSize)).toEqual([
    8, 8, 8, 12, 12, 16, 24, 24, 32, 128,
  ]);
});

test('whatever the batch, counts add up to its tokens, weights to 1, and sites are distinct rows that map back', () => {
  const turn = fc.record({
    prompt: fc.integer({ min: 1, max: 4 }),
    action: fc.integer({ min: 1, max: 4 }),
    advantage: fc.constantFrom(-1, 0, 1),
  });
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 40 }), (list) => {
      const rows = [...list.keys()];
      const packed = packTurns(
        oneTokenTurns(list),
        rows,
        'tokenMean',
        total(list.length, list.length),
      );
      expect(sum(packed.turnCounts)).toBe(list.length);
      expect(sum(packed.siteCounts)).toBe(list.length);
      expect(sum(packed.tokenWeights)).toBeCloseTo(1, 5);
      const used = positive(packed.siteCounts).length;
      const siteRows = [...packed.siteRows.subarray(0, used)];
      expect(new Set(siteRows).size).toBe(used);
      expect(siteRows.map((row) => packed.siteOfRow[row])).toEqual([...siteRows.keys()]);
      expect(packed.siteOfRow.filter((site) => site < packed.siteRows.length)).toHaveLength(used);
    }),
  );
});

test('equal turns with different loss factors stay apart; factors weigh the loss alone, and every row finds its turn', () => {
  const turns = oneTokenTurns([
    { prompt: 5, action: 2, factor: 2 },
    { prompt: 5, action: 2, factor: 0.5 },
    { prompt: 5, action: 2, factor: 2 },
  ]);
  const packed = packTurns(turns, [0, 1, 2], 'tokenMean', total(4, 4));
  expect(positive(packed.turnCounts)).toEqual([2, 1]);
  expect(positive(packed.tokenWeights)).toEqual([0.5, 0.25]);
  // 2 · 2/4 and 0.5 · 1/4.
  expect(positive(packed.lossWeights)).toEqual([1, 0.125]);
  expect([...packed.turnOfRow]).toEqual([0, 1, 0]);
});
