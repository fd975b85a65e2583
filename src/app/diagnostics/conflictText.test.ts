import { expect, test } from 'vitest';
import type { GradientPair } from '../../protocol/trainerApi';
import { conflictLead, conflictMatrices, type ConflictView } from './conflictText';

function pair(cosine: number, changes: Partial<GradientPair> = {}): GradientPair {
  return {
    arm: 'global',
    seed: 0,
    a: 'router',
    b: 'search',
    updateCosine: cosine,
    conflict: {
      iteration: 20,
      cosine,
      nullLow: 0.2,
      nullMedian: 0.6,
      isConflict: cosine < 0.2,
    },
    ...changes,
  };
}

const view: ConflictView = {
  pairs: [],
  arms: ['global', 'agentWise'],
  agents: ['router', 'search', 'answer'],
  isOn: true,
  iteration: 20,
};

function lead(changes: Partial<ConflictView>): string {
  return conflictLead({ ...view, ...changes });
}

const onlyCell = (...pairs: GradientPair[]) => {
  const [matrix] = conflictMatrices({ ...view, pairs });
  return matrix!.cells[0]![1];
};

test.each([
  [-0.4, 'conflict', '−0.400'],
  [0.1, 'conflict', '0.100'],
  [0.2, 'within the null band', '0.200'],
  [0.59, 'within the null band', '0.590'],
  [0.6, 'aligned', '0.600'],
])('a cosine of %d beside a null from 0.2 with median 0.6 is: %s', (cosine, word, shown) => {
  expect(onlyCell(pair(cosine))).toMatchObject({
    cosine: shown,
    word,
    band: 'null from 0.200, median 0.600',
  });
});

test('seeds are told by their median, and in how many there is a conflict', () => {
  const seeds = [-0.4, 0.3, 0.1].map((cosine, seed) => pair(cosine, { seed }));
  expect(onlyCell(...seeds)).toMatchObject({
    cosine: '0.100',
    tone: 'mixed',
    word: 'conflict in 2 of 3 seeds',
  });
  const [matrix] = conflictMatrices({ ...view, pairs: seeds });
  expect(matrix!.caption).toBe('global: cosines of iteration 20, median of 3 seeds');
});

test('seeds without a conflict are aligned where half of them are', () => {
  // 0.7 and 0.65 lie above the null’s median of 0.6, 0.3 does not.
  const seeds = [0.7, 0.3, 0.65].map((cosine, seed) => pair(cosine, { seed }));
  expect(onlyCell(...seeds)).toMatchObject({ cosine: '0.650', word: 'aligned' });
});

test('a matrix is symmetric, empty on its diagonal, and has the agents that share a policy only', () => {
  const [matrix, ...others] = conflictMatrices({
    ...view,
    pairs: [pair(0.7, { arm: 'agentWise' })],
  });
  expect(others).toEqual([]);
  expect(matrix!.arm).toBe('agentWise');
  expect(matrix!.agents).toEqual(['router', 'search']);
  expect(matrix!.cells[0]![0]).toBeNull();
  expect(matrix!.cells[0]![1]).toEqual(matrix!.cells[1]![0]);
});

test('without a null the update’s own cosine stands alone; one without a direction has no cell', () => {
  const plain = pair(-0.9, { conflict: null });
  expect(onlyCell(plain)).toEqual({
    cosine: '−0.900',
    band: '',
    tone: 'unknown',
    word: 'not compared with chance',
  });
  expect(onlyCell(pair(0, { conflict: null, updateCosine: null }))).toBeNull();
  const [matrix] = conflictMatrices({ ...view, pairs: [plain] });
  expect(matrix!.caption).toBe('global: cosines of the latest update, one seed');
});

test('the lead says what is missing: the setting, an iteration, or a shared policy', () => {
  expect(lead({ isOn: false, iteration: 0 })).toContain('Gradient conflict is off');
  expect(lead({ iteration: 0 })).toContain('Nothing is measured yet');
  expect(lead({})).toContain('No two agents learn in one policy');
  expect(lead({ isOn: false, pairs: [pair(1)] })).toContain('switch on Conflict');
  expect(lead({ pairs: [pair(1)] })).toContain('the null');
});
