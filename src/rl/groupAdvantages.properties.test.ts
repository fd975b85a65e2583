import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mismatch } from './golden/mismatch';
import { groupAdvantages, type EstimatorOptions } from './groupAdvantages';
import { agentRewardDiagnostics, inflationBound } from './inflation';
import type { StepScores } from './stepScores';

const grpo: EstimatorOptions = {
  scope: 'task',
  unit: 'trajectory',
  center: 'mean',
  scale: 'std',
  ddof: 0,
  epsilon: 0,
  minStd: 1e-6,
  singleton: 'zero',
};
const drMas: EstimatorOptions = { ...grpo, scope: 'taskAgent', unit: 'step' };

/** Reward, trajectory and agent of each step; one task. */
type Step = readonly [reward: number, trajectory: number, agent: number];

function oneTask(steps: readonly Step[]): StepScores {
  return {
    rewards: Float64Array.from(steps, ([reward]) => reward),
    taskIds: new Int32Array(steps.length).fill(7),
    trajectoryIds: Int32Array.from(steps, ([, trajectory]) => trajectory),
    agentIds: Int32Array.from(steps, ([, , agent]) => agent),
  };
}

function advantagesOf(scores: StepScores, options: EstimatorOptions): number[] {
  return Array.from(groupAdvantages(scores, options).advantages);
}

/** Rewards are quarters, so that sums and shifts are exact and a spread is either 0 or well above rounding. */
const quarter = fc.integer({ min: -40, max: 40 }).map((n) => n / 4);

const batches: fc.Arbitrary<StepScores> = fc
  .array(
    fc.record({
      task: fc.integer({ min: 0, max: 2 }),
      steps: fc.array(fc.tuple(quarter, fc.integer({ min: 0, max: 2 })), {
        minLength: 1,
        maxLength: 5,
      }),
    }),
    { minLength: 1, maxLength: 16 },
  )
  .map((trajectories) => {
    const steps = trajectories.flatMap(({ task, steps: ownSteps }, trajectory) =>
      ownSteps.map(([reward, agent]) => ({ task, trajectory, reward, agent })),
    );
    return {
      rewards: Float64Array.from(steps, ({ reward }) => reward),
      taskIds: Int32Array.from(steps, ({ task }) => task),
      trajectoryIds: Int32Array.from(steps, ({ trajectory }) => trajectory),
      agentIds: Int32Array.from(steps, ({ agent }) => agent),
    };
  });

const estimators: fc.Arbitrary<EstimatorOptions> = fc.record({
  scope: fc.constantFrom('task', 'taskAgent', 'taskAgentMeanOnly', 'taskAgentStdOnly'),
  unit: fc.constantFrom('trajectory', 'step'),
  center: fc.constantFrom('mean', 'leaveOneOut', 'none'),
  scale: fc.constantFrom('std', 'none'),
  ddof: fc.constantFrom(0, 1),
  epsilon: fc.constantFrom(0, 1e-6, 0.1),
  minStd: fc.constantFrom(0, 1e-6),
  singleton: fc.constantFrom('zero', 'raw'),
});

/** Sum per group with every sample once: each step, or one step of each trajectory. */
function sumsPerGroup(scores: StepScores, options: EstimatorOptions): Float64Array {
  const { advantages, center } = groupAdvantages(scores, options);
  const sums = new Float64Array(center.means.length);
  const seen = new Set<string>();
  for (const [step, advantage] of advantages.entries()) {
    const agent = options.scope === 'taskAgent' ? scores.agentIds[step] : 'any';
    const sample = options.unit === 'step' ? step : `${scores.trajectoryIds[step]}|${agent}`;
    if (seen.has(String(sample))) continue;
    seen.add(String(sample));
    sums[center.groupIndices[step]!]! += advantage;
  }
  return sums;
}

test('the advantages of a group sum to 0 when each sample counts once', () => {
  const centered = fc.record({
    scope: fc.constantFrom('task' as const, 'taskAgent' as const),
    unit: fc.constantFrom('trajectory' as const, 'step' as const),
    center: fc.constantFrom('mean' as const, 'leaveOneOut' as const),
    scale: fc.constantFrom('std' as const, 'none' as const),
  });
  fc.assert(
    fc.property(batches, centered, (scores, choice) => {
      const sums = sumsPerGroup(scores, { ...grpo, ...choice });
      expect(mismatch(sums, new Float64Array(sums.length), 1e-11)).toBeNull();
    }),
  );
});

test('adding a constant to all rewards changes nothing', () => {
  fc.assert(
    fc.property(batches, estimators, quarter, (scores, options, shift) => {
      fc.pre(options.center !== 'none' && options.singleton === 'zero');
      const shifted = { ...scores, rewards: scores.rewards.map((reward) => reward + shift) };
      const expected = advantagesOf(scores, { ...options, minStd: 1e-6 });
      const actual = advantagesOf(shifted, { ...options, minStd: 1e-6 });
      expect(mismatch(actual, expected, 1e-10)).toBeNull();
    }),
  );
});

test('permuting the steps permutes the advantages', () => {
  const permuted = batches.chain((scores) =>
    fc.tuple(
      fc.constant(scores),
      fc.shuffledSubarray([...scores.rewards.keys()], { minLength: scores.rewards.length }),
    ),
  );
  fc.assert(
    fc.property(permuted, estimators, ([scores, order], options) => {
      const guarded = { ...options, minStd: 1e-6 };
      const moved = {
        rewards: Float64Array.from(order, (step) => scores.rewards[step]!),
        taskIds: Int32Array.from(order, (step) => scores.taskIds[step]!),
        trajectoryIds: Int32Array.from(order, (step) => scores.trajectoryIds[step]!),
        agentIds: Int32Array.from(order, (step) => scores.agentIds[step]!),
      };
      const expected = advantagesOf(scores, guarded);
      const actual = advantagesOf(moved, guarded);
      expect(
        mismatch(
          actual,
          order.map((step) => expected[step]!),
          1e-10,
        ),
      ).toBeNull();
    }),
  );
});

test('agent-wise equals global when every agent acts once and shares the reward', () => {
  fc.assert(
    fc.property(
      fc.array(quarter, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(0 as const, 1 as const),
      (rewards, numAgents, ddof) => {
        const steps = rewards.flatMap((reward, trajectory) =>
          Array.from({ length: numAgents }, (_, agent): Step => [reward, trajectory, agent]),
        );
        const scores = oneTask(steps);
        const global = advantagesOf(scores, { ...grpo, ddof });
        const own = advantagesOf(scores, { ...drMas, ddof });
        expect(mismatch(own, global, 1e-10)).toBeNull();
      },
    ),
  );
});

test('no advantage exceeds √(n − 1) population deviations', () => {
  fc.assert(
    fc.property(batches, fc.constantFrom(grpo, drMas), (scores, options) => {
      const { advantages, center } = groupAdvantages(scores, options);
      for (const [step, advantage] of advantages.entries()) {
        const size = center.numSamples[center.groupIndices[step]!]!;
        expect(Math.abs(advantage)).toBeLessThanOrEqual(Math.sqrt(size - 1) + 1e-10);
      }
    }),
  );
});

test('agent-wise advantages of a group with spread have second moment 1', () => {
  fc.assert(
    fc.property(batches, (scores) => {
      const { advantages, center } = groupAdvantages(scores, drMas);
      const squares = new Float64Array(center.means.length);
      for (const [step, advantage] of advantages.entries())
        squares[center.groupIndices[step]!]! += advantage ** 2;
      const moments = squares.map((sum, group) => sum / center.numSamples[group]!);
      const expected = center.stds.map((std) => (std > 0 ? 1 : 0));
      expect(mismatch(moments, expected, 1e-10)).toBeNull();
    }),
  );
});

test('multiplying all rewards by a positive number changes nothing where ε is 0', () => {
  fc.assert(
    fc.property(batches, fc.constantFrom(grpo, drMas), (scores, options) => {
      const scaled = { ...scores, rewards: scores.rewards.map((reward) => reward * 3) };
      const expected = advantagesOf(scores, options);
      expect(mismatch(advantagesOf(scaled, options), expected, 1e-10)).toBeNull();
    }),
  );
});

test('leave-one-out is n/(n − 1) times the deviation from the mean', () => {
  fc.assert(
    fc.property(batches, fc.constantFrom(grpo, drMas), (scores, base) => {
      const unscaled = { ...base, scale: 'none' } as const;
      const { advantages, center } = groupAdvantages(scores, unscaled);
      const expected = advantages.map((advantage, step) => {
        const size = center.numSamples[center.groupIndices[step]!]!;
        return size === 1 ? 0 : (advantage * size) / (size - 1);
      });
      const actual = advantagesOf(scores, { ...unscaled, center: 'leaveOneOut' });
      expect(mismatch(actual, expected, 1e-10)).toBeNull();
    }),
  );
});

test('whatever the rewards, every advantage is finite and every bad reward is counted', () => {
  const wild = fc.constantFrom(NaN, Infinity, -Infinity, 0, 0.1, 1);
  const wildBatches = batches.chain((scores) =>
    fc
      .array(wild, { minLength: scores.rewards.length, maxLength: scores.rewards.length })
      .map((rewards) => Object.assign({}, scores, { rewards: Float64Array.from(rewards) })),
  );
  fc.assert(
    fc.property(wildBatches, estimators, (scores, options) => {
      const { advantages, numNonFinite } = groupAdvantages(scores, options);
      expect(advantages.every(Number.isFinite)).toBe(true);
      const bad = scores.rewards.filter((reward) => !Number.isFinite(reward)).length;
      expect(numNonFinite).toBe(bad);
    }),
  );
});

test('the predicted inflation is the second moment that global normalization has', () => {
  fc.assert(
    fc.property(batches, (scores) => {
      const { advantages, scale } = groupAdvantages(scores, grpo);
      for (const [agent, diagnostics] of agentRewardDiagnostics(scores, 3, 1e-6).entries()) {
        const squares = Array.from(advantages.keys())
          .filter((step) => scores.agentIds[step] === agent)
          .filter((step) => scale.stds[scale.groupIndices[step]!]! >= 1e-6)
          .map((step) => advantages[step]! ** 2);
        const moment = squares.reduce((sum, square) => sum + square, 0) / squares.length;
        expect(mismatch([diagnostics.predicted], [moment], 1e-10)).toBeNull();
      }
    }),
  );
});

test('no predicted inflation exceeds the largest group’s bound', () => {
  fc.assert(
    fc.property(batches, (scores) => {
      const largest = Math.max(...groupAdvantages(scores, grpo).center.numSamples);
      for (const { predicted, predictedMax } of agentRewardDiagnostics(scores, 3, 1e-6)) {
        if (Number.isNaN(predictedMax)) continue;
        expect(predictedMax).toBeLessThanOrEqual(inflationBound(largest) + 1e-9);
        expect(predicted).toBeLessThanOrEqual(predictedMax + 1e-9);
      }
    }),
  );
});
