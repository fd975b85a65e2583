import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadJointTurns } from './golden/loadAdvantages';
import { mismatch } from './golden/mismatch';
import { groupAdvantages, type EstimatorOptions } from './groupAdvantages';
import { turnReturnAdvantages } from './turnReturns';

const magrpo: Omit<EstimatorOptions, 'scope' | 'unit'> = {
  center: 'mean',
  scale: 'none',
  ddof: 1,
  epsilon: 1e-6,
  minStd: 1e-6,
  singleton: 'zero',
};

/** Joint samples of one task, all of `numTurns` turns, [G × turns]. */
function jointSamples(rewards: Float64Array, numTurns: number) {
  const place = (step: number): [number, number] => [Math.floor(step / numTurns), step % numTurns];
  return {
    rewards,
    taskIds: new Int32Array(rewards.length),
    trajectoryIds: Int32Array.from(rewards, (_, step) => place(step)[0]),
    agentIds: Int32Array.from(rewards, (_, step) => step % 2),
    turnIndices: Int32Array.from(rewards, (_, step) => place(step)[1]),
  };
}

test('MAGRPO: the joint return of a turn against its mean over the joint samples, as an independent implementation', () => {
  const { rewards, numTurns, gamma, advantages, tolerance } = loadJointTurns();
  const result = turnReturnAdvantages(jointSamples(rewards, numTurns), { ...magrpo, gamma });
  expect(mismatch(result.advantages, advantages, tolerance)).toBeNull();
});

test('MARLOO and MAREMAX: the mean of the others, and the best', () => {
  const steps = jointSamples(Float64Array.of(1, 0, 0.5), 1);
  const loo = turnReturnAdvantages(steps, { ...magrpo, gamma: 1, center: 'leaveOneOut' });
  expect([...loo.advantages]).toEqual([0.75, -0.75, 0]);
  const best = turnReturnAdvantages(steps, { ...magrpo, gamma: 1, center: 'max' });
  expect([...best.advantages]).toEqual([0, -1, -0.5]);
});

test('an outcome at the end without a discount is GRPO’s comparison within the turn', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(0, 1, 0.5), { minLength: 2, maxLength: 6 }),
      (outcomes) => {
        const rewards = Float64Array.from(outcomes.flatMap((outcome) => [0, 0, outcome]));
        const steps = jointSamples(rewards, 3);
        const { advantages } = turnReturnAdvantages(steps, { ...magrpo, gamma: 1 });
        const spread = rewards.map((_, step) => outcomes[Math.floor(step / 3)]!);
        const grpo = groupAdvantages(
          { ...steps, rewards: spread },
          { ...magrpo, scope: 'task', unit: 'trajectory' },
        );
        expect(mismatch(advantages, grpo.advantages, 1e-12)).toBeNull();
      },
    ),
  );
});

test('a reward that is not finite takes out the turns that lead to it, and is counted', () => {
  const steps = jointSamples(Float64Array.of(0, NaN, 1, 0, 1, 1), 2);
  const { advantages, numNonFinite } = turnReturnAdvantages(steps, { ...magrpo, gamma: 1 });
  expect(numNonFinite).toBe(2);
  expect([...advantages.subarray(0, 2)]).toEqual([0, 0]);
  expect(advantages.every(Number.isFinite)).toBe(true);
});

/** One step: reward, joint sample, turn, task. */
type Row = readonly [reward: number, sample: number, turn: number, task: number];

function stepsOf(rows: readonly Row[]) {
  return {
    rewards: Float64Array.from(rows, ([reward]) => reward),
    taskIds: Int32Array.from(rows, ([, , , task]) => task),
    trajectoryIds: Int32Array.from(rows, ([, sample]) => sample),
    agentIds: Int32Array.from(rows, (_, step) => step % 2),
    turnIndices: Int32Array.from(rows, ([, , turn]) => turn),
  };
}

test('agents that act in one turn share its joint return, and γ counts turns', () => {
  // Sample 0: turn 0 brings 1 + 2, turn 1 brings 4: returns 3 + 4/2 = 5 and 4. Sample 1: 1 + 0/2 = 1 and 0.
  // Turn 0: mean of 5 and 1 is 3. Turn 1: mean of 4 and 0 is 2. A sample counts once, by however many agents.
  const steps = stepsOf([
    [1, 0, 0, 0],
    [2, 0, 0, 0],
    [4, 0, 1, 0],
    [1, 1, 0, 0],
    [0, 1, 1, 0],
  ]);
  const { advantages, center } = turnReturnAdvantages(steps, { ...magrpo, gamma: 0.5 });
  expect([...advantages]).toEqual([2, 2, 2, -2, -2]);
  expect([...center.numSamples]).toEqual([2, 2]);
});

test('a turn that only one joint sample of the task reached gets 0', () => {
  const steps = stepsOf([
    [0, 0, 0, 0],
    [1, 0, 1, 0],
    [0, 1, 0, 0],
    [5, 2, 0, 1],
  ]);
  // Turn 0 of task 0: returns 1 and 0. Its turn 1 and task 1 have one sample each.
  const { advantages } = turnReturnAdvantages(steps, { ...magrpo, gamma: 1 });
  expect([...advantages]).toEqual([0.5, 0, -0.5, 0]);
});

/** Joint samples of up to two tasks with one to three turns, up to two agents acting in each. */
const anySamples = fc
  .array(
    fc.record({
      task: fc.nat(1),
      turns: fc.array(fc.array(fc.constantFrom(0, 0.25, 1, NaN), { minLength: 1, maxLength: 2 }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((samples) =>
    samples.flatMap(({ task, turns }, sample) =>
      turns.flatMap((rewards, turn) => rewards.map((reward): Row => [reward, sample, turn, task])),
    ),
  );

test('finite throughout, equal within a joint turn, and every group of joint turns adds up to zero', () => {
  fc.assert(
    fc.property(anySamples, (rows) => {
      const { advantages, center, numNonFinite } = turnReturnAdvantages(stepsOf(rows), {
        ...magrpo,
        gamma: 0.9,
      });
      expect(advantages.every(Number.isFinite)).toBe(true);
      const ofTurn = new Map<string, number>();
      const sums = new Float64Array(center.means.length);
      let numLost = 0;
      for (const [step, [, sample, turn]] of rows.entries()) {
        const key = `${sample} ${turn}`;
        if (!ofTurn.has(key)) sums[center.groupIndices[step]!]! += advantages[step]!;
        expect(ofTurn.get(key) ?? advantages[step]).toBe(advantages[step]);
        ofTurn.set(key, advantages[step]!);
        const isLost = rows.some(
          ([reward, other, later]) => other === sample && later >= turn && Number.isNaN(reward),
        );
        expect(isLost ? advantages[step] : 0).toBe(0);
        numLost += isLost ? 1 : 0;
      }
      for (const sum of sums) expect(Math.abs(sum)).toBeLessThan(1e-12);
      expect(numNonFinite).toBe(numLost);
    }),
  );
});

test('what every last turn brings on top changes nothing where all samples take equally many turns', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(4), fc.nat(4), fc.nat(4)), { minLength: 2, maxLength: 5 }),
      (samples) => {
        const advantagesWith = (extra: number): Float64Array => {
          const rewards = samples.flatMap(([first, second, last]) => [first, second, last + extra]);
          const steps = jointSamples(Float64Array.from(rewards), 3);
          return turnReturnAdvantages(steps, { ...magrpo, gamma: 0.9 }).advantages;
        };
        expect(mismatch(advantagesWith(3), advantagesWith(0), 1e-12)).toBeNull();
      },
    ),
  );
});

test('the order of the joint samples does not matter', () => {
  fc.assert(
    fc.property(anySamples, (rows) => {
      const options = { ...magrpo, gamma: 0.9 };
      const { advantages } = turnReturnAdvantages(stepsOf(rows), options);
      // The last sample first, each with its own steps as they were.
      const backwards = [...rows.keys()].toSorted((a, b) => rows[b]![1] - rows[a]![1] || a - b);
      const moved = turnReturnAdvantages(stepsOf(backwards.map((step) => rows[step]!)), options);
      const expected = backwards.map((step) => advantages[step]!);
      expect(mismatch(moved.advantages, expected, 1e-12)).toBeNull();
    }),
  );
});

test('turn indices are needed', () => {
  const { turnIndices: _turnIndices, ...steps } = jointSamples(Float64Array.of(1, 0), 1);
  expect(() => turnReturnAdvantages(steps, { ...magrpo, gamma: 1 })).toThrow('needs turnIndices');
});
