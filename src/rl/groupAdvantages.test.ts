import { describe, expect, test } from 'vitest';
import { mismatch } from './golden/mismatch';
import { groupAdvantages, type EstimatorOptions } from './groupAdvantages';
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

describe('hand cases', () => {
  /** Trajectory 0 succeeds with one step, trajectory 1 fails with three: agent 0 starts both, agent 1 only fails. */
  const uneven = oneTask([
    [1, 0, 0],
    [0, 1, 0],
    [0, 1, 1],
    [0, 1, 1],
  ]);

  test('per trajectory a long trajectory counts once', () => {
    // Values 1 and 0: mean ½, population std ½, so ±1; every step of a trajectory gets its value.
    expect(advantagesOf(uneven, grpo)).toEqual([1, -1, -1, -1]);
  });

  test('per step a long trajectory counts as often as it has steps', () => {
    // Values 1, 0, 0, 0: mean ¼, std √(¼·¾) = √3/4; (1 − ¼)/(√3/4) = √3 and −¼/(√3/4) = −1/√3.
    const third = -1 / Math.sqrt(3);
    const actual = advantagesOf(uneven, { ...grpo, unit: 'step' });
    expect(mismatch(actual, [Math.sqrt(3), third, third, third], 1e-12)).toBeNull();
  });

  test('agent-wise an agent is compared with itself only', () => {
    // Agent 0 has 1 and 0: ±1. Agent 1 has 0 and 0: no spread, 0.
    expect(advantagesOf(uneven, drMas)).toEqual([1, -1, 0, 0]);
  });

  test('mean only takes the std of the task, std only the mean of the task', () => {
    // Task per trajectory: mean ½, std ½. Agent 0: mean ½, std ½. Agent 1: mean 0, std 0 < minStd.
    expect(advantagesOf(uneven, { ...grpo, scope: 'taskAgentMeanOnly' })).toEqual([1, -1, 0, 0]);
    expect(advantagesOf(uneven, { ...grpo, scope: 'taskAgentStdOnly' })).toEqual([1, -1, 0, 0]);
    // Without the guard ε is the whole divisor: (0 − ½)/1e-6.
    const unguarded = { ...grpo, scope: 'taskAgentStdOnly', minStd: 0, epsilon: 1e-6 } as const;
    expect(advantagesOf(uneven, unguarded)[2]).toBeCloseTo(-5e5, 3);
  });

  test('per trajectory a penalty is spread over the trajectory, per step its step pays', () => {
    const penalized = oneTask([
      [1, 0, 0],
      [0.5, 0, 1],
      [0, 1, 0],
      [0, 1, 1],
    ]);
    // Trajectory means ¾ and 0: ±1 whoever paid. Per agent: 1, 0 and ½, 0: ±1 too, but from their own scores.
    expect(advantagesOf(penalized, grpo)).toEqual([1, 1, -1, -1]);
    const unscaled = { ...grpo, scale: 'none' } as const;
    expect(advantagesOf(penalized, unscaled)).toEqual([0.375, 0.375, -0.375, -0.375]);
    expect(advantagesOf(penalized, { ...drMas, scale: 'none' })).toEqual([0.5, 0.25, -0.5, -0.25]);
  });

  test('agent-wise per trajectory averages the agent’s steps of a trajectory and counts them once', () => {
    const scores = oneTask([
      [1, 0, 0],
      [0, 0, 0],
      [0, 1, 0],
      [5, 1, 1],
    ]);
    // Agent 0: mean of (1, 0) = ½ in trajectory 0, 0 in trajectory 1; mean ¼, so ±¼. Agent 1 is alone: 0.
    const options = { ...drMas, unit: 'trajectory', scale: 'none' } as const;
    expect(advantagesOf(scores, options)).toEqual([0.25, 0.25, -0.25, 0]);
  });

  test('leave-one-out subtracts the mean of the others', () => {
    const scores = oneTask([
      [1, 0, 0],
      [2, 1, 0],
      [6, 2, 0],
    ]);
    // 1 − (2 + 6)/2, 2 − (1 + 6)/2, 6 − (1 + 2)/2
    const options = { ...grpo, center: 'leaveOneOut', scale: 'none' } as const;
    expect(advantagesOf(scores, options)).toEqual([-3, -1.5, 4.5]);
  });

  test('without center and scale the advantage is the reward', () => {
    const options = { ...grpo, unit: 'step', center: 'none', scale: 'none' } as const;
    expect(advantagesOf(oneTask([[0.7, 0, 0]]), options)).toEqual([0.7]);
    expect(advantagesOf(uneven, options)).toEqual([1, 0, 0, 0]);
  });

  test('a group of one has advantage 0, or its raw reward on request', () => {
    const alone = oneTask([[0.7, 0, 0]]);
    for (const center of ['mean', 'leaveOneOut'] as const) {
      expect(advantagesOf(alone, { ...grpo, center })).toEqual([0]);
      expect(advantagesOf(alone, { ...grpo, center, singleton: 'raw' })).toEqual([0.7]);
    }
  });

  test('a spread below minStd is no signal, but is kept where nothing is divided', () => {
    const close = oneTask([
      [0, 0, 0],
      [0.002, 1, 0],
    ]);
    // Mean 0.001, population std 0.001.
    expect(advantagesOf(close, { ...grpo, minStd: 0.002 })).toEqual([0, 0]);
    const unscaled = advantagesOf(close, { ...grpo, minStd: 0.002, scale: 'none' });
    expect(mismatch(unscaled, [-0.001, 0.001], 1e-15)).toBeNull();
  });

  test('scores that are not finite get 0, are counted, and change nothing for the others', () => {
    const scores = oneTask([
      [1, 0, 0],
      [NaN, 0, 0],
      [Infinity, 2, 0],
      [0, 1, 0],
      [-Infinity, 1, 0],
    ]);
    const { advantages, numNonFinite } = groupAdvantages(scores, grpo);
    expect(Array.from(advantages)).toEqual([1, 0, 0, -1, 0]);
    expect(numNonFinite).toBe(3);
  });

  test('equal rewards that binary fractions cannot hold have exactly no spread', () => {
    // 0.1 · 3 / 3 is not 0.1 in float64, so a plain sum would leave a std of 1e-17 to be divided by.
    const scores = oneTask([
      [0.1, 0, 0],
      [0.1, 0, 0],
      [0.1, 0, 0],
      [0.1, 1, 0],
    ]);
    for (const unit of ['trajectory', 'step'] as const)
      expect(advantagesOf(scores, { ...grpo, unit, minStd: 0 })).toEqual([0, 0, 0, 0]);
  });

  test('an empty batch has no advantages', () => {
    expect(advantagesOf(oneTask([]), grpo)).toEqual([]);
  });
});

describe('refused input', () => {
  const two = oneTask([
    [1, 0, 0],
    [0, 1, 0],
  ]);

  test('arrays of different lengths', () => {
    const short = { ...two, agentIds: new Int32Array(1) };
    expect(() => groupAdvantages(short, grpo)).toThrow('agentIds has 1 entries, rewards 2');
  });

  test('a trajectory in two tasks', () => {
    const crossed = {
      ...two,
      taskIds: Int32Array.of(0, 1),
      trajectoryIds: Int32Array.of(5, 5),
    };
    expect(() => groupAdvantages(crossed, grpo)).toThrow('trajectory 5 has steps of two tasks');
  });

  test.each(['epsilon', 'minStd'])('a negative or missing %s', (name) => {
    expect(() => groupAdvantages(two, { ...grpo, [name]: -1 })).toThrow(`${name} is -1`);
    expect(() => groupAdvantages(two, { ...grpo, [name]: NaN })).toThrow(`${name} is NaN`);
  });
});
