import { expect, test } from 'vitest';
import { defaultEstimators, defaultLosses, defaultSpec } from '../config/defaults';
import type { EstimatorSpec } from '../config/experimentSpec';
import { keyFromSeed } from '../rl/rng';
import { scoreSteps, type ScoredSteps } from './advantages';
import { initialBaselines } from './baselines';
import { planExperiment } from './cohorts';
import { stepsOf } from './steps';
import { madeUpTrajectory, madeUpTurn } from './testing/madeUpTurns';

const plan = planExperiment({ ...defaultSpec, seeds: [0] }).replicas[0]!;

/**
 * One task, three rollouts. The first: router, search, answer and solved. The second: router, answer, not solved. The third: an
 * unreadable router move that costs 0.5.
 */
const rollouts = [
  madeUpTrajectory(
    [madeUpTurn(0, { anchor: 1 }), madeUpTurn(1, { anchor: 2 }), madeUpTurn(2, { anchor: 3 })],
    { teamReward: 1 },
  ),
  madeUpTrajectory([madeUpTurn(0, { anchor: 1 }), madeUpTurn(2, { anchor: 4 })]),
  madeUpTrajectory([madeUpTurn(0, { anchor: 1, penalty: 0.5 })]),
];

function scoredBy(estimator: EstimatorSpec, played = rollouts): ScoredSteps {
  return scoreSteps(
    stepsOf(plan, played),
    { ...plan.training, estimator },
    { key: keyFromSeed(0), baselines: initialBaselines(3), critic: null },
  );
}

const rounded = (values: Float64Array): number[] =>
  [...values].map((value) => Number(value.toFixed(9)));

test('LightningRL: the return of a rollout once, whatever the number of its calls', () => {
  const { advantages, groups } = scoredBy({ ...defaultEstimators.rollout, scale: 'none' });
  // Returns 1, 0, −0.5; mean 1/6.
  expect(rounded(advantages)).toEqual(
    [5 / 6, 5 / 6, 5 / 6, -1 / 6, -1 / 6, -2 / 3].map((value) => Number(value.toFixed(9))),
  );
  expect([...groups!.center.numSamples]).toEqual([3]);
  expect(groups!.center.groupIndices).toHaveLength(6);
});

test('MAGRPO: the discounted joint return of a turn among those of the same place; all agents alike', () => {
  const { advantages } = scoredBy({ ...defaultEstimators.turnReturn, gamma: 0.5 });
  // Turn 0: 0.25, 0, −0.5, mean −1/12. Turn 1: 0.5 and 0. Turn 2 alone: 0.
  expect(rounded(advantages)).toEqual(
    [1 / 3, 0.25, 0, 1 / 12, -0.25, -5 / 12].map((value) => Number(value.toFixed(9))),
  );
});

test('GiGPO: the episode level plus the steps from the same state', () => {
  const { advantages, groups } = scoredBy({
    ...defaultEstimators.gigpo,
    mode: 'meanNorm',
    gamma: 1,
    stepWeight: 1,
  });
  // Episode level as LightningRL above; the three router steps share a state: returns 1, 0, −0.5. The others are alone.
  expect(rounded(advantages)).toEqual(
    [5 / 3, 5 / 6, 5 / 6, -1 / 3, -1 / 6, -4 / 3].map((value) => Number(value.toFixed(9))),
  );
  expect(groups!.center.numSamples[0]).toBe(3);
});

function episodeOf(main: number, subs: readonly number[]) {
  const calls = subs.map((_, invocation) => madeUpTurn(1, { invocation }));
  const invocations = subs.map((reward, invocation) => ({ agent: 1, invocation, reward }));
  return madeUpTrajectory([madeUpTurn(0), ...calls], { rewards: { main, invocations } });
}

test('hierarchical: executors within their episode, planners within their task', () => {
  const { advantages } = scoredBy(defaultEstimators.hierarchical, [
    episodeOf(1, [0.25, 0.75]),
    episodeOf(0, [0.5]),
  ]);
  expect(rounded(advantages)).toEqual([0.5, -0.25, 0.25, -0.5, 0]);
});

test('RAE: each role against its own moving average, in the order of the rollouts', () => {
  const { advantages, baselines, groups } = scoredBy({
    ...defaultEstimators.movingBaseline,
    decay: 0.5,
  });
  // Router: 1 − 0, b 0.5; 0 − 0.5, b 0.25; −0.5 − 0.25. Search: 1 − 0. Answer: 1 − 0, b 0.5; 0 − 0.5.
  expect(rounded(advantages)).toEqual([1, 1, 1, -0.5, -0.5, -0.75]);
  expect(rounded(baselines.ofRoles)).toEqual([-0.125, 0.5, 0.25]);
  expect(groups).toBeNull();
});

test('a moving baseline of the batch: used first, moved afterwards', () => {
  const spec: EstimatorSpec = { kind: 'movingBaseline', baselineOf: 'batch', decay: 0 };
  const { advantages, baselines } = scoredBy(spec);
  // Mean scores of the rollouts: 1, 0, −0.5.
  expect(rounded(advantages)).toEqual([1, 1, 1, 0, 0, -0.5]);
  expect(baselines.ofBatch).toBeCloseTo(1 / 6, 12);
});

test('a reward that is not finite is counted and gives 0, whatever the estimator', () => {
  const broken = [...rollouts, madeUpTrajectory([madeUpTurn(0)], { teamReward: NaN })];
  for (const estimator of Object.values(defaultEstimators)) {
    if ('critic' in estimator) continue;
    const { advantages, numNonFinite } = scoredBy(estimator, broken);
    expect([estimator.kind, numNonFinite]).toEqual([estimator.kind, 1]);
    expect(advantages.every(Number.isFinite)).toBe(true);
    expect(advantages.at(-1)).toBe(0);
  }
});

test('an estimator with a critic says so when there is none', () => {
  expect(() => scoredBy(defaultEstimators.gae)).toThrow('gae needs its critic');
});

/** Rollouts of two, three and four turns. */
const ofLengths = (earned: readonly number[]) =>
  [2, 3, 4].map((numTurns, index) =>
    madeUpTrajectory(
      Array.from({ length: numTurns }, (_, turn) => madeUpTurn(turn % 3, { anchor: turn })),
      { teamReward: earned[index]! },
    ),
  );

// The others have no trajectory whose reward a length could lower here: a critic estimates, or a hierarchy is missing.
test.each(['group', 'rollout', 'turnReturn', 'gigpo', 'movingBaseline'] as const)(
  'what an episode loses for its length is a lower reward to the estimator %s',
  (kind) => {
    // Two turns cost nothing, three half of the 0.6, all four the whole.
    const loss = { ...defaultLosses.clip, overlongTurns: 2, overlongPenalty: 0.6 };
    const shaped = planExperiment({ ...defaultSpec, loss, seeds: [0] }).replicas[0]!;
    const scored = (of: typeof plan, earned: readonly number[]) =>
      rounded(
        scoreSteps(
          stepsOf(of, ofLengths(earned)),
          { ...of.training, estimator: defaultEstimators[kind] },
          { key: keyFromSeed(0), baselines: initialBaselines(3), critic: null },
        ).advantages,
      );
    const penalised = scored(shaped, [1, 1, 1]);
    expect(penalised).toEqual(scored(plan, [1, 0.7, 0.4]));
    expect(penalised).not.toEqual(scored(plan, [1, 1, 1]));
  },
);
