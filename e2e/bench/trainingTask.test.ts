import { expect, test } from 'vitest';
import { createTrainingTask, stepFlops, type BenchShape } from './trainingTask';

const shape: BenchShape = {
  numLayers: 2,
  hiddenSize: 8,
  numHeads: 2,
  vocabularySize: 5,
  length: 3,
  numSequences: 4,
};

test('every target is the token after its own', () => {
  const { tokens, targets } = createTrainingTask(shape);
  expect(tokens).toHaveLength(12);
  for (let row = 0; row < 4; row++)
    expect([...targets.subarray(3 * row, 3 * row + 2)]).toEqual([
      ...tokens.subarray(3 * row + 1, 3 * row + 3),
    ]);
  for (const token of [...tokens, ...targets]) {
    expect(token).toBeGreaterThanOrEqual(0);
    expect(token).toBeLessThan(5);
  }
});

test('a task is the same every time it is made', () => {
  expect(createTrainingTask(shape)).toEqual(createTrainingTask(shape));
});

test('parameters and operations are those of the architecture', () => {
  // Embedding and head 5 · 8 each; a layer 4 · 8² and 3 · 8 · 22 and two gains of 8; a last gain.
  const numParameters = 2 * 40 + 2 * (256 + 528 + 16) + 8;
  expect(createTrainingTask(shape).numParameters).toBe(numParameters);
  // 12 tokens; 6 operations a parameter; 6 · 2 layers · width 8 · 3 tokens of attention.
  expect(stepFlops(shape, numParameters)).toBe(12 * (6 * numParameters + 288));
});
