import fc from 'fast-check';
import { expect, test } from 'vitest';
import { discountedReturns, gigpoAdvantages, type AnchoredSteps, type GigpoOptions } from './gigpo';
import { loadGigpo, loadJointTurns } from './golden/loadAdvantages';
import { mismatch } from './golden/mismatch';
import { groupAdvantages } from './groupAdvantages';

for (const golden of loadGigpo())
  test(`episode and step advantages agree with an independent implementation: ${golden.id}`, () => {
    const { steps, options, tolerance } = golden;
    const result = gigpoAdvantages(steps, options);
    expect(mismatch(result.returns, golden.returns, tolerance)).toBeNull();
    expect(mismatch(result.stepAdvantages, golden.stepAdvantages, tolerance)).toBeNull();
    expect(mismatch(result.advantages, golden.advantages, tolerance)).toBeNull();
    expect(result.anchorGroupSizes).toEqual(golden.anchorGroupSizes);
    const perStep = Float64Array.from(
      steps.trajectoryIds,
      (trajectory) => golden.episodeAdvantages[trajectory]!,
    );
    expect(mismatch(result.episode.advantages, perStep, tolerance)).toBeNull();
  });

test('the joint advantage of MAGRPO is the return-to-go against its mean over the joint samples of the turn', () => {
  const golden = loadJointTurns();
  const turnIds = Int32Array.from(golden.rewards, (_, entry) => entry % golden.numTurns);
  const sampleIds = Int32Array.from(golden.rewards, (_, entry) =>
    Math.floor(entry / golden.numTurns),
  );
  const returns = discountedReturns(golden.rewards, sampleIds, golden.gamma);
  expect(mismatch(returns, golden.returns, golden.tolerance)).toBeNull();
  const { advantages } = groupAdvantages(
    {
      rewards: returns,
      taskIds: turnIds,
      trajectoryIds: sampleIds,
      agentIds: new Int32Array(returns.length),
    },
    {
      scope: 'task',
      unit: 'step',
      center: 'mean',
      scale: 'none',
      ddof: 1,
      epsilon: 0,
      minStd: 0,
      singleton: 'zero',
    },
  );
  expect(mismatch(advantages, golden.advantages, golden.tolerance)).toBeNull();
});

const meanNorm: GigpoOptions = {
  scope: 'task',
  mode: 'meanNorm',
  gamma: 0.5,
  stepWeight: 1,
  ddof: 1,
  epsilon: 1e-6,
  minStd: 0,
};

interface Row {
  readonly trajectory: number;
  readonly anchor: number;
  readonly reward: number;
  readonly agent?: number;
  readonly task?: number;
}

function stepsOf(rows: readonly Row[]): AnchoredSteps {
  return {
    rewards: Float64Array.from(rows, ({ reward }) => reward),
    taskIds: Int32Array.from(rows, ({ task = 0 }) => task),
    trajectoryIds: Int32Array.from(rows, ({ trajectory }) => trajectory),
    agentIds: Int32Array.from(rows, ({ agent = 0 }) => agent),
    anchors: Int32Array.from(rows, ({ anchor }) => anchor),
  };
}

test('two trajectories that share their first state: worked by hand', () => {
  const steps = stepsOf([
    { trajectory: 0, anchor: 7, reward: 0 },
    { trajectory: 1, anchor: 7, reward: 0 },
    { trajectory: 0, anchor: 8, reward: 1 },
  ]);
  const result = gigpoAdvantages(steps, { ...meanNorm, stepWeight: 2 });
  // Episode returns 1 and 0, mean ½: A_E = ½, −½, ½. Returns-to-go 0 + ½·1 = ½, 0, 1.
  // State 7 has returns ½ and 0, mean ¼: A_S = ¼, −¼; state 8 is seen once: 0.
  expect([...result.episode.advantages]).toEqual([0.5, -0.5, 0.5]);
  expect([...result.returns]).toEqual([0.5, 0, 1]);
  expect([...result.stepAdvantages]).toEqual([0.25, -0.25, 0]);
  expect([...result.advantages]).toEqual([1, -1, 0.5]);
  expect([...result.anchorGroupSizes]).toEqual([2, 2, 1]);
});

test('within one agent neither level compares an agent with another', () => {
  const steps = stepsOf([
    { trajectory: 0, anchor: 7, agent: 0, reward: 1 },
    { trajectory: 1, anchor: 7, agent: 1, reward: 0 },
  ]);
  const apart = gigpoAdvantages(steps, { ...meanNorm, scope: 'taskAgent' });
  expect([...apart.advantages]).toEqual([0, 0]);
  // Together: returns 1 and 0 at both levels, ½ + ½.
  expect([...gigpoAdvantages(steps, meanNorm).advantages]).toEqual([1, -1]);
});

test('a reward that is not finite takes its trajectory out of both levels and changes no other', () => {
  const others = [
    { trajectory: 0, anchor: 7, reward: 1 },
    { trajectory: 1, anchor: 7, reward: 0 },
  ];
  const broken = [
    { trajectory: 2, anchor: 7, reward: 5 },
    { trajectory: 2, anchor: 7, reward: NaN },
    { trajectory: 2, anchor: 7, reward: 5 },
  ];
  const clean = gigpoAdvantages(stepsOf(others), meanNorm);
  const result = gigpoAdvantages(stepsOf([...others, ...broken]), meanNorm);
  expect([...result.advantages]).toEqual([...clean.advantages, 0, 0, 0]);
  expect(result.numNonFinite).toBe(3);
});

const rows = fc
  .array(
    fc.record({
      trajectory: fc.nat(5),
      anchor: fc.nat(3),
      reward: fc.double({ min: -2, max: 2, noNaN: true }),
      agent: fc.nat(1),
    }),
    { minLength: 1, maxLength: 24 },
  )
  .map((list) => list.map((row) => ({ ...row, task: row.trajectory % 2 })));
const options = fc.record({
  scope: fc.constantFrom('task' as const, 'taskAgent' as const),
  mode: fc.constantFrom('meanNorm' as const, 'meanStdNorm' as const),
  gamma: fc.double({ min: 0, max: 1, noNaN: true }),
  stepWeight: fc.double({ min: 0, max: 3, noNaN: true }),
  ddof: fc.constantFrom(0 as const, 1 as const),
  epsilon: fc.constant(1e-6),
  minStd: fc.constant(1e-6),
});

test('where no two steps share a state the estimator is the episode level alone', () => {
  fc.assert(
    fc.property(rows, options, (list, setting) => {
      const steps = stepsOf(list.map((row, anchor) => ({ ...row, anchor })));
      const result = gigpoAdvantages(steps, setting);
      expect(result.stepAdvantages.every((advantage) => advantage === 0)).toBe(true);
      expect(mismatch(result.advantages, result.episode.advantages, 0)).toBeNull();
    }),
  );
});

test('the step advantages of steps that share a task and a state sum to 0', () => {
  fc.assert(
    fc.property(rows, options, (list, setting) => {
      const { stepAdvantages } = gigpoAdvantages(stepsOf(list), { ...setting, scope: 'task' });
      const sums = new Float64Array(8);
      for (const [step, { task, anchor }] of list.entries())
        sums[task * 4 + anchor]! += stepAdvantages[step]!;
      expect(mismatch(sums, new Float64Array(8), 1e-7)).toBeNull();
    }),
  );
});

test('one step per trajectory, all in one state: both levels are the same, A = (1 + w)·A_E', () => {
  fc.assert(
    fc.property(rows, options, (list, setting) => {
      const steps = stepsOf(list.map((row, trajectory) => ({ ...row, trajectory, anchor: 0 })));
      const result = gigpoAdvantages(steps, setting);
      const expected = result.episode.advantages.map((value) => (1 + setting.stepWeight) * value);
      expect(mismatch(result.advantages, expected, 1e-12)).toBeNull();
    }),
  );
});

test('how trajectories interleave changes nothing', () => {
  fc.assert(
    fc.property(rows, options, (list, setting) => {
      const order = [...list.keys()].toSorted(
        (first, second) => list[first]!.trajectory - list[second]!.trajectory || first - second,
      );
      const interleaved = gigpoAdvantages(stepsOf(list), setting).advantages;
      const apart = gigpoAdvantages(stepsOf(order.map((step) => list[step]!)), setting).advantages;
      const expected = order.map((step) => interleaved[step]!);
      expect(mismatch(apart, expected, 1e-6)).toBeNull();
    }),
  );
});

test('a discount of 0 leaves each step its own reward, one of 1 the sum of what follows', () => {
  // Trajectory 0 has the rewards 1, 2, 4; trajectory 1 has 8 in between.
  const rewards = Float64Array.of(1, 8, 2, 4);
  const trajectoryIds = Int32Array.of(0, 1, 0, 0);
  expect([...discountedReturns(rewards, trajectoryIds, 0)]).toEqual([1, 8, 2, 4]);
  expect([...discountedReturns(rewards, trajectoryIds, 1)]).toEqual([7, 8, 6, 4]);
});

test('shapes and settings that do not fit are refused', () => {
  const steps = stepsOf([{ trajectory: 0, anchor: 0, reward: 1 }]);
  expect(() => gigpoAdvantages({ ...steps, anchors: new Int32Array(2) }, meanNorm)).toThrow(
    'anchors has 2 entries, rewards 1',
  );
  expect(() => gigpoAdvantages(steps, { ...meanNorm, stepWeight: -1 })).toThrow('stepWeight is -1');
  expect(() => gigpoAdvantages(steps, { ...meanNorm, gamma: 1.5 })).toThrow('gamma is 1.5');
  expect(() => discountedReturns(steps.rewards, new Int32Array(2), 1)).toThrow(
    'trajectoryIds has 2 entries, rewards 1',
  );
});
