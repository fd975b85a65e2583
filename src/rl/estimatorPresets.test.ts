import { expect, test } from 'vitest';
import { estimatorPresets, type EstimatorPresetName } from './estimatorPresets';
import { mismatch } from './golden/mismatch';
import { groupAdvantages } from './groupAdvantages';
import type { StepScores } from './stepScores';

/** One task: agents 0, 1 act in a solved trajectory; agent 0 acts twice in a failed one. */
const scores: StepScores = {
  rewards: Float64Array.of(1, 1, 0, 0),
  taskIds: new Int32Array(4),
  trajectoryIds: Int32Array.of(0, 0, 1, 1),
  agentIds: Int32Array.of(0, 1, 0, 0),
  turnIndices: Int32Array.of(0, 1, 0, 1),
};
const root = Math.SQRT1_2;

// Trajectories 1, 0: mean ½, sample std 1/√2, population std ½. Steps 1, 1, 0, 0: mean ½, sample std 1/√3.
// Agent 0's steps 1, 0, 0: μ = ⅓, sample std 1/√3, population std √2/3; agent 1 is alone.
const expected: Record<EstimatorPresetName, readonly number[]> = {
  grpoVerl: [root, root, -root, -root],
  grpoTrl: [root, root, -root, -root],
  grpoPaper: [1, 1, -1, -1],
  grpoR1Zero: [root, root, -root, -root],
  drGrpo: [0.5, 0.5, -0.5, -0.5],
  rloo: [1, 1, -1, -1],
  globalStep: [Math.sqrt(3) / 2, Math.sqrt(3) / 2, -Math.sqrt(3) / 2, -Math.sqrt(3) / 2],
  drMasCode: [2 / Math.sqrt(3), 1, -1 / Math.sqrt(3), -1 / Math.sqrt(3)],
  drMasPaper: [Math.SQRT2, 0, -root, -root],
  drMasMeanOnly: [(2 / 3) * Math.SQRT2, 0, -Math.SQRT2 / 3, -Math.SQRT2 / 3],
  drMasStdOnly: [Math.sqrt(3) / 2, 0, -Math.sqrt(3) / 2, -Math.sqrt(3) / 2],
  agentOnce: [root, 0, -root, -root],
  mgrpo: [1, 0, -1, -1],
  // Agent 0 at turn 0: 1 and 0; the others are alone.
  atGrpo: [root, 0, -root, 0],
  // Mean ½: (1 − ½)/½ and (0 − ½)/½.
  maxRl: [1, 1, -1, -1],
  reinforceBatchMean: [0.5, 0.5, -0.5, -0.5],
  // Steps 1, 1, 0, 0: mean ½, sample variance 1/3.
  reinforcePlusPlus: [0.5, 0.5, -0.5, -0.5].map((x) => x * Math.sqrt(3)),
  // ½, ½, −½, −½ over four steps: sample variance 1/3.
  reinforcePlusPlusBaseline: [0.75, 0.75, -0.75, -0.75].map((x) => x * Math.sqrt(4 / 3)),
};

test.each(Object.entries(estimatorPresets))('%s gives what its formula says', (name, preset) => {
  const { advantages } = groupAdvantages(scores, preset.options);
  const wanted = Object.entries(expected).find(([own]) => own === name)?.[1] ?? [];
  // ε = 1e-4 moves TRL's by about that much.
  expect(mismatch(advantages, wanted, 2e-4)).toBeNull();
});
