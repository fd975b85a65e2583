import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  adaptFailureTags,
  failureTagScale,
  initialFailureTagState,
  scaleAdvantages,
  tallyTags,
  type FailureTagRule,
  type TaggedTrajectory,
} from './failureTags';
import { mismatch } from './golden/mismatch';

/** The numbers of the authors' configuration. */
const rule: FailureTagRule = {
  weights: new Map([
    ['spurious_tool_call', 2],
    ['correct_abstention', 1.8],
    ['empty_turn_model_response', 1.5],
    ['state_mismatch', 1],
    ['response_mismatch', 0.9],
    ['instance_mismatch', 0.6],
    ['pass', 1],
  ]),
  passTags: new Set(['pass']),
  infrastructureTags: new Set(['checker_error', 'gt_error']),
  minScale: 0.5,
  maxScale: 2,
};
const adaptation = { emaBeta: 0.25, prevalenceAlpha: 1, confidenceSamples: 32 };

function scaleOf(...turnTags: string[]): number {
  return failureTagScale(turnTags, rule.weights, rule);
}

test('the factor is the mean weight of the turns', () => {
  expect(scaleOf('spurious_tool_call', 'pass')).toBe(1.5);
  // (1.5 + 0.6 + 0.9)/3
  expect(
    scaleOf('empty_turn_model_response', 'instance_mismatch', 'response_mismatch'),
  ).toBeCloseTo(1, 12);
  expect(scaleOf('a tag nobody listed')).toBe(1);
});

test('tags that speak of the checker take no part, and nothing but such tags changes nothing', () => {
  expect(scaleOf('spurious_tool_call', 'checker_error', 'gt_error')).toBe(2);
  expect(scaleOf('checker_error', 'gt_error')).toBe(1);
  expect(scaleOf()).toBe(1);
});

test('the factor stays within its bounds', () => {
  const heavy = new Map([
    ['late', 9],
    ['early', 0.01],
  ]);
  expect(failureTagScale(['late'], heavy, rule)).toBe(2);
  expect(failureTagScale(['early'], heavy, rule)).toBe(0.5);
});

test('the factor multiplies all advantages, or those of one sign only', () => {
  const advantages = Float64Array.of(1, -1, 0);
  const scales = Float64Array.of(2, 0.5, 2);
  expect([...scaleAdvantages(advantages, scales, 'all')]).toEqual([2, -0.5, 0]);
  expect([...scaleAdvantages(advantages, scales, 'positive')]).toEqual([2, -1, 0]);
  expect([...scaleAdvantages(advantages, scales, 'negative')]).toEqual([1, -0.5, 0]);
});

test('a batch is tallied by turn, with the reward of the trajectory behind each turn', () => {
  const batch: TaggedTrajectory[] = [
    { turnTags: ['pass', 'state_mismatch', 'state_mismatch'], reward: 0.25 },
    { turnTags: ['pass', 'gt_error'], reward: 1 },
  ];
  expect(tallyTags(batch, rule.infrastructureTags)).toEqual(
    new Map([
      ['pass', { count: 2, rewardSum: 1.25 }],
      ['state_mismatch', { count: 2, rewardSum: 0.5 }],
    ]),
  );
});

test('a frequent failure that earns nothing gains weight, by hand', () => {
  // 48 turns: 36 state_mismatch with mean reward ⅙, 12 pass. Prevalence ¾, stagnation 5/6, confidence 1 (36 ≥ 32).
  // Target = 1·(1 + ¾·5/6) = 1.625; weight = ¾·1 + ¼·1.625.
  const tallies = new Map([
    ['state_mismatch', { count: 36, rewardSum: 6 }],
    ['pass', { count: 12, rewardSum: 12 }],
  ]);
  const { weights } = adaptFailureTags(initialFailureTagState(rule), tallies, rule, adaptation);
  expect(weights.get('state_mismatch')).toBeCloseTo(0.75 + 0.25 * 1.625, 12);
  expect(weights.get('pass')).toBe(1);
  // A tag that did not occur moves towards its base, where it already is.
  expect(weights.get('instance_mismatch')).toBeCloseTo(0.6, 12);
});

test('few turns are trusted less, and no target exceeds the upper bound', () => {
  // One tag alone: prevalence 1, stagnation 1. 8 of 32 turns: confidence ¼, target 1.25.
  const some = new Map([['state_mismatch', { count: 8, rewardSum: 0 }]]);
  const few = adaptFailureTags(initialFailureTagState(rule), some, rule, adaptation);
  expect(few.weights.get('state_mismatch')).toBeCloseTo(0.75 + 0.25 * 1.25, 12);
  // spurious_tool_call: 2·(1 + 1) = 4 is cut to 2, where it was.
  const many = new Map([['spurious_tool_call', { count: 64, rewardSum: 0 }]]);
  const capped = adaptFailureTags(initialFailureTagState(rule), many, rule, adaptation);
  expect(capped.weights.get('spurious_tool_call')).toBe(2);
});

test('a failure that lasts approaches its target by a quarter of the distance an iteration', () => {
  const tallies = new Map([['state_mismatch', { count: 64, rewardSum: 0 }]]);
  let state = initialFailureTagState(rule);
  for (let iteration = 0; iteration < 10; iteration++)
    state = adaptFailureTags(state, tallies, rule, adaptation);
  // From 1 to 2: 2 − (¾)¹⁰
  expect(state.weights.get('state_mismatch')).toBeCloseTo(2 - 0.75 ** 10, 12);
});

const trajectories = fc.array(
  fc.record({
    turnTags: fc.array(fc.constantFrom(...rule.weights.keys(), 'gt_error', 'new tag'), {
      maxLength: 6,
    }),
    reward: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 6 },
);

test('moving shares sum to 1 and weights stay within the bounds, whatever comes', () => {
  fc.assert(
    fc.property(fc.array(trajectories, { minLength: 1, maxLength: 6 }), (batches) => {
      let state = initialFailureTagState(rule);
      for (const batch of batches) {
        const tallies = tallyTags(batch, rule.infrastructureTags);
        state = adaptFailureTags(state, tallies, rule, adaptation);
      }
      for (const weight of state.weights.values()) {
        expect(weight).toBeGreaterThanOrEqual(0.5);
        expect(weight).toBeLessThanOrEqual(2 + 1e-12);
      }
      const shares = [...state.prevalences.values()];
      const sum = shares.reduce((total, share) => total + share, 0);
      expect(mismatch([sum], [shares.length === 0 ? 0 : 1], 1e-12)).toBeNull();
      expect(state.prevalences.has('gt_error')).toBe(false);
    }),
  );
});

test('the state before is left as it was, and a batch without tags gives it back', () => {
  const state = initialFailureTagState(rule);
  adaptFailureTags(state, new Map([['pass', { count: 1, rewardSum: 0 }]]), rule, adaptation);
  expect(state).toEqual({ weights: rule.weights, prevalences: new Map() });
  expect(adaptFailureTags(state, new Map(), rule, adaptation)).toBe(state);
});

test('impossible settings are refused', () => {
  const crossed = { ...rule, minScale: 3 };
  expect(() => failureTagScale([], rule.weights, crossed)).toThrow('minScale is 3 and maxScale 2');
  const adapt = (change: Partial<typeof adaptation>) => (): unknown =>
    adaptFailureTags(initialFailureTagState(rule), new Map(), rule, { ...adaptation, ...change });
  expect(adapt({ emaBeta: 1.5 })).toThrow('emaBeta is 1.5');
  expect(adapt({ prevalenceAlpha: -1 })).toThrow('prevalenceAlpha is -1');
  expect(adapt({ confidenceSamples: 0 })).toThrow('confidenceSamples is 0');
  expect(() => scaleAdvantages(new Float64Array(2), new Float64Array(1), 'all')).toThrow(
    'scales has 1 entries, advantages 2',
  );
});
