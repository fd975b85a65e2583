import { expect, test } from 'vitest';
import { defaultEstimators, defaultSpec } from '../config/defaults';
import { planExperiment } from './cohorts';
import { criticScores, criticSequences } from './criticSteps';
import { stepsOf } from './steps';
import { madeUpTrajectory, madeUpTurn } from './testing/madeUpTurns';

const plan = planExperiment({ ...defaultSpec, seeds: [0] }).replicas[0]!;
const prompt = (...tokens: number[]) => ({ promptTokens: Int32Array.from(tokens) });
const plainGae = { ...defaultEstimators.gae, isWhitened: false, gamma: 1, gaeLambda: 1 };

/** Router, answer, router of one episode that earns 1 and pays 0.25 at its second step; then a router alone that earns 0. */
const steps = stepsOf(plan, [
  madeUpTrajectory(
    [
      madeUpTurn(0, prompt(1)),
      madeUpTurn(2, { ...prompt(3), penalty: 0.25 }),
      madeUpTurn(0, prompt(1, 5)),
    ],
    { teamReward: 1 },
  ),
  madeUpTrajectory([madeUpTurn(0, prompt(1))]),
]);
const noRatios = new Float64Array(4);
const lists = (sequences: readonly (readonly Int32Array[])[]): number[][][] =>
  sequences.map((own) => own.map((tokens) => [...tokens]));

test('a critic of its own reads the prompt; VDN adds the last prompts of all who have acted in the episode', () => {
  expect(lists(criticSequences(steps, 'own'))).toEqual([[[1]], [[3]], [[1, 5]], [[1]]]);
  expect(lists(criticSequences(steps, 'sum'))).toEqual([[[1]], [[1], [3]], [[1, 5], [3]], [[1]]]);
});

test('a critic of the shared state reads it, and says when there is none', () => {
  const withState = {
    ...steps,
    turns: steps.turns.map((turn) => Object.assign({}, turn, { stateTokens: turn.promptTokens })),
  };
  expect(lists(criticSequences(withState, 'state'))).toEqual([[[1]], [[3]], [[1, 5]], [[1]]]);
  expect(() => criticSequences(steps, 'state')).toThrow('no shared state');
});

test('IPPO: each agent’s own steps are its trace; the outcome comes at its last one, a penalty at its own step', () => {
  const values = Float64Array.of(0.5, 0.2, 0.4, 0.1);
  const { advantages, returns } = criticScores(steps, values, noRatios, plainGae);
  // Router: 0 then 1, returns 1 and 1. Answer: 1 − 0.25. The other router: 0.
  expect([...returns]).toEqual([1, 0.75, 1, 0]);
  expect([...advantages].map((value) => Number(value.toFixed(12)))).toEqual([0.5, 0.55, 0.6, -0.1]);
});

test('MAPPO and VDN: the team’s steps are one trace and share every penalty and the outcome', () => {
  const values = Float64Array.of(0.5, 0.2, 0.4, 0.1);
  for (const critic of ['state', 'sum'] as const) {
    const { returns } = criticScores(steps, values, noRatios, { ...plainGae, critic });
    // 0 − 0.25 + 1 from the first step on.
    expect([...returns]).toEqual([0.75, 0.75, 1, 0]);
  }
});

test('one-step errors bootstrap from the next step of the trace', () => {
  const values = Float64Array.of(0.5, 0.2, 0.4, 0.1);
  const oneStep = { ...plainGae, critic: 'state' as const, gamma: 0.5, gaeLambda: 0 };
  const { advantages } = criticScores(steps, values, noRatios, oneStep);
  // δ: 0 + 0.5·0.2 − 0.5; −0.25 + 0.5·0.4 − 0.2; 1 − 0.4; 0 − 0.1.
  expect([...advantages].map((value) => Number(value.toFixed(12)))).toEqual([
    -0.4, -0.25, 0.6, -0.1,
  ]);
});

test('V-trace cuts the weight of a step that the policy now takes more often, and keeps that of a rarer one', () => {
  const values = new Float64Array(4);
  const vtrace = {
    ...defaultEstimators.vtrace,
    isWhitened: false,
    gamma: 1,
    critic: 'state' as const,
  };
  const ratios = Float64Array.of(0, 0, Math.log(0.5), Math.log(3));
  const { advantages, returns } = criticScores(steps, values, ratios, vtrace);
  // Last step: 0.5·1, and everything before it learns of that half. The other episode earned 0.
  expect([...returns].map((value) => Number(value.toFixed(12)))).toEqual([0.25, 0.25, 0.5, 0]);
  expect([...advantages].map((value) => Number(value.toFixed(12)))).toEqual([0.25, 0.25, 0.5, 0]);
});

test('whitening is per agent: mean 0 over its steps, one step alone is 0', () => {
  const values = Float64Array.of(0.5, 0.2, 0.4, 0.1);
  const { advantages } = criticScores(steps, values, noRatios, { ...plainGae, isWhitened: true });
  const router = [advantages[0]!, advantages[2]!, advantages[3]!];
  expect(router.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 12);
  expect(advantages[1]).toBe(0);
});

test('a reward that is not finite takes its trace out: advantage 0, no target, counted', () => {
  const broken = stepsOf(plan, [
    madeUpTrajectory([madeUpTurn(0), madeUpTurn(2)], { teamReward: NaN }),
    madeUpTrajectory([madeUpTurn(0)], { teamReward: 1 }),
  ]);
  const scores = criticScores(broken, new Float64Array(3), new Float64Array(3), plainGae);
  expect([...scores.advantages]).toEqual([0, 0, 1]);
  expect([...scores.returns]).toEqual([NaN, NaN, 1]);
  expect(scores.numNonFinite).toBe(2);
});

test('a value that is not finite takes its whole trace out, as a reward does', () => {
  for (const isWhitened of [false, true])
    for (const broken of [NaN, Infinity, -Infinity]) {
      const values = Float64Array.of(0.5, broken, 0.4, 0.25);
      const estimator = { ...plainGae, critic: 'state' as const, isWhitened };
      const scores = criticScores(steps, values, noRatios, estimator);
      // Only the router alone is left: 0 − 0.25, or 0 once whitened by itself.
      expect([...scores.advantages]).toEqual([0, 0, 0, isWhitened ? 0 : -0.25]);
      expect([...scores.returns]).toEqual([NaN, NaN, NaN, 0]);
      expect(scores.numNonFinite).toBe(3);
    }
});

test('explained variance is unknown where all returns are equal but for rounding', () => {
  // (0.1 − V) + V is 0.1 for some V and one rounding off for others.
  const rewards = [0, 1, 0.1, -0.3];
  for (const teamReward of rewards) {
    const equal = stepsOf(
      plan,
      Array.from({ length: 40 }, () => madeUpTrajectory([madeUpTurn(0)], { teamReward })),
    );
    const values = Float64Array.from(equal.turns, (_, step) => Math.fround(0.07 * step - 1));
    const scores = criticScores(equal, values, new Float64Array(40), plainGae);
    expect(scores.explainedVariance).toBeNaN();
  }
});

test('explained variance does not depend on the unit of the rewards', () => {
  for (const unit of [1e-9, 1, 1e9]) {
    const scaled = stepsOf(
      plan,
      [1, 0].map((reward) => madeUpTrajectory([madeUpTurn(0)], { teamReward: reward * unit })),
    );
    const values = Float64Array.of(0.75 * unit, 0.25 * unit);
    const scores = criticScores(scaled, values, new Float64Array(2), plainGae);
    // Errors ±0.25 against returns ±0.5 around their means: 1 − 1/4.
    expect(scores.explainedVariance).toBeCloseTo(0.75, 9);
  }
});

test('explained variance: 1 for a critic that knows, 0 for one that says the same everywhere', () => {
  const knowing = criticScores(steps, Float64Array.of(1, 0.75, 1, 0), noRatios, plainGae);
  expect(knowing.explainedVariance).toBeCloseTo(1, 12);
  const dull = criticScores(steps, new Float64Array(4).fill(0.3), noRatios, plainGae);
  expect(dull.explainedVariance).toBeCloseTo(0, 12);
});
