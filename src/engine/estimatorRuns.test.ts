import { expect, test } from 'vitest';
import {
  defaultEnvironments,
  defaultEstimators,
  defaultFailureTags,
  defaultGroups,
  defaultPulses,
} from '../config/defaults';
import type { ExperimentSpec, OverrideValue } from '../config/experimentSpec';
import { presets } from '../config/presets';
import type { MetricRow } from '../metrics/catalog';
import { eventsOf, rowsOf, tinyPolicies, tinySpec } from './testing/runInProcess';

/** Whole small runs under every setting that changes what is learned. */

function routerOf(rows: readonly MetricRow[], iteration: number): MetricRow['values'] {
  return rows.find((row) => row.agent === 'router' && row.iteration === iteration)!.values;
}

function normsOf(rows: readonly MetricRow[]): number[] {
  return ofAgents(rows).map(({ values }) => values.gradNorm!);
}

async function runOf(
  overrides: Readonly<Record<string, OverrideValue>>,
  changes: Partial<ExperimentSpec> = {},
): Promise<MetricRow[]> {
  const events = await eventsOf(tinySpec({ arms: [{ name: 'only', overrides }], ...changes }));
  expect(events.at(-1)).toMatchObject({ kind: 'finished', reason: 'completed' });
  return rowsOf(events);
}

const ofAgents = (rows: readonly MetricRow[]): MetricRow[] =>
  rows.filter(({ agent, values }) => agent !== 'team' && 'gradNorm' in values);
const ofTeam = (rows: readonly MetricRow[]): MetricRow[] =>
  rows.filter(({ agent, iteration }) => agent === 'team' && iteration > 0);

test.each(Object.keys(defaultEstimators).filter((kind) => kind !== 'hierarchical'))(
  'a run under the estimator %s learns, and no number is NaN',
  async (kind) => {
    const rows = await runOf({ 'estimator.kind': kind });
    for (const { values } of rows)
      for (const value of Object.values(values)) expect(value).not.toBeNaN();
    expect(Math.max(...ofAgents(rows).map(({ values }) => values.gradNorm!))).toBeGreaterThan(0);
  },
);

test.each(['own', 'state', 'sum'])(
  'the critic that reads %s comes to know what an episode is worth',
  async (critic) => {
    const rows = await runOf(
      {
        'estimator.kind': 'gae',
        'estimator.critic': critic,
        'estimator.valueLearningRate': 0.02,
        'estimator.valueEpochs': 8,
      },
      {
        // Half of the questions are easy and answered by rule, the others can only be guessed: the prompt tells.
        environment: {
          ...defaultEnvironments.routeSearchAnswer,
          searchShare: 0.5,
          numKeys: 2,
          maxTurns: 2,
        },
        iterations: 8,
        groups: { ...defaultGroups.parallel, tasksPerIteration: 24, groupSize: 4 },
        warmStart: { targetSuccess: 0.45, maxSteps: 60, tasksPerStep: 32, learningRate: 0.02 },
      },
    );
    const team = ofTeam(rows).map(({ values }) => values);
    expect(team[0]!.valueGradNorm).toBeGreaterThan(0);
    // At first it knows nothing: all values are 0.
    expect(team[0]!.explainedVariance).toBeCloseTo(0, 9);
    const late = team.slice(-3).map(({ explainedVariance }) => explainedVariance!);
    expect(late.reduce((sum, value) => sum + value, 0) / late.length).toBeGreaterThan(0.2);
  },
);

test('hierarchical GRPO runs where there are sub-agents', async () => {
  const { environment, agents } = presets['plan-execute'].spec;
  const rows = await runOf(
    { 'estimator.kind': 'hierarchical' },
    { environment, agents, policies: tinyPolicies(['planner', 'executor']) },
  );
  expect(ofAgents(rows).length).toBeGreaterThan(0);
});

test('a tree: the trunk is scored, statistics are of branches from one state, and evaluation is the policy’s own', async () => {
  const rows = await runOf(
    {
      'estimator.scope': 'taskAgentTurn',
      'estimator.unit': 'step',
      'groups.sampling': 'tree',
      'groups.groupSize': 8,
    },
    { warmStart: { targetSuccess: 0.5, maxSteps: 30, tasksPerStep: 32, learningRate: 0.02 } },
  );
  for (const { values } of ofAgents(rows)) {
    // Groups of eight branches, none of one.
    expect(values.singletonFraction).toBe(0);
    expect(values.numTurns! % 8).toBe(0);
  }
});

test('a full tree: values of turns are learned from, and episodes have their whole length', async () => {
  const rows = await runOf(
    {
      'estimator.scope': 'taskAgentTurn',
      'estimator.unit': 'step',
      'estimator.scale': 'none',
      'groups.sampling': 'expand',
    },
    { warmStart: { targetSuccess: 0.5, maxSteps: 30, tasksPerStep: 32, learningRate: 0.02 } },
  );
  for (const { values } of ofAgents(rows)) {
    expect(values.singletonFraction).toBe(0);
    expect(values.numTurns! % 3).toBe(0);
  }
  for (const { values } of ofTeam(rows)) expect(values.episodeTurns).toBeGreaterThan(1);
});

test('a pipeline of depth two learns from rollouts of the policy of two iterations before, and says so', async () => {
  const rows = await runOf({ 'groups.staleIterations': 2 }, { iterations: 5 });
  expect(ofTeam(rows).map(({ values }) => values.policyAge)).toEqual([0, 1, 2, 2, 2]);
  const fresh = await runOf({}, { iterations: 5 });
  // The first batch is the same; the second was sampled before the first update.
  expect(routerOf(rows, 1)).toEqual(routerOf(fresh, 1));
  expect(routerOf(rows, 1).samplerMismatch).toBeLessThan(1e-9);
  expect(routerOf(rows, 3).samplerMismatch).toBeGreaterThan(1e-9);
});

test('importance weights change nothing on fresh rollouts, and something on stale ones', async () => {
  const tis = { 'loss.oldLogprobs': 'trainer', 'loss.samplerCorrection': 'tokenTruncate' };
  const plain = normsOf(await runOf({}));
  const corrected = normsOf(await runOf(tis));
  for (const [place, norm] of corrected.entries()) expect(norm).toBeCloseTo(plain[place]!, 4);
  const stale = { 'groups.staleIterations': 2, 'loss.oldLogprobs': 'trainer' };
  const faceValue = normsOf(await runOf(stale, { iterations: 4 }));
  const weighted = normsOf(await runOf({ ...stale, ...tis }, { iterations: 4 }));
  expect(weighted.at(-1)).not.toBeCloseTo(faceValue.at(-1)!, 6);
});

test('a KL penalty in the reward costs reward once the policy has moved away from the reference', async () => {
  const plain = await runOf({});
  const penalised = await runOf({
    'loss.refKlCoef': 5,
    'loss.refKlIn': 'reward',
    'loss.refKlEstimator': 'k3',
  });
  // Iteration 1 starts at the reference: log-ratio 0 up to rounding.
  expect(routerOf(penalised, 1).rewardMean).toBeCloseTo(routerOf(plain, 1).rewardMean!, 5);
  expect(ofAgents(penalised).every(({ values }) => values.refKl !== undefined)).toBe(true);
  const third = ofAgents(penalised).filter(({ iteration }) => iteration === 3);
  expect(third.some(({ values }) => values.refKl! > 0)).toBe(true);
});

test('a periodic pulse takes its steps after the iteration and lifts what was imitated', async () => {
  const rows = await runOf(
    {},
    {
      iterations: 6,
      pulses: { ...defaultPulses.period, numIterations: 2, sftSteps: 3, rolloutsPerStep: 8 },
      warmStart: { targetSuccess: 0.5, maxSteps: 30, tasksPerStep: 32, learningRate: 0.02 },
    },
  );
  expect(ofTeam(rows).map(({ values }) => values.pulseSteps)).toEqual([0, 3, 0, 3, 0, 3]);
});

test('failure tags scale advantages and are logged', async () => {
  const rows = await runOf(
    {},
    { failureTags: { ...defaultFailureTags.seal, unreadableWeight: 2, minScale: 1 } },
  );
  for (const { values } of ofAgents(rows)) {
    expect(values.failureScale).toBeGreaterThanOrEqual(1);
    expect(values.failureScale).toBeLessThanOrEqual(2);
  }
});

test('every loss balance runs and gives another update than none', async () => {
  // On one policy: where each agent has its own and acts once per rollout, rollouts are balanced already.
  const agents = {
    router: { policy: 'one' },
    search: { policy: 'one' },
    answer: { policy: 'one' },
  };
  const policies = tinyPolicies(['one']);
  const [none, ...others] = await Promise.all(
    ['none', 'agentFrequency', 'rollout'].map((balance) =>
      runOf({ 'loss.balance': balance }, { agents, policies }),
    ),
  );
  for (const rows of others) expect(normsOf(rows)).not.toEqual(normsOf(none!));
});
