import { expect, test } from 'vitest';
import {
  defaultEnvironments,
  defaultEstimators,
  defaultGroups,
  defaultSpec,
} from '../config/defaults';
import type { PolicyApi } from '../protocol/policyApi';
import { keyFromSeed } from '../rl/rng';
import { scoreSteps } from './advantages';
import { initialBaselines } from './baselines';
import { planExperiment } from './cohorts';
import { expandTrees } from './expandedRollout';
import { stepsOf } from './steps';
import { trainingStarts } from './tasks';
import { scriptedPolicy } from './testing/scriptedPolicy';

const plan = planExperiment({
  ...defaultSpec,
  environment: { ...defaultEnvironments.routeSearchAnswer, searchShare: 0 },
  estimator: {
    ...defaultEstimators.group,
    scope: 'taskAgentTurn',
    unit: 'step',
    scale: 'none',
  },
  groups: { ...defaultGroups.expand, tasksPerIteration: 2, groupSize: 2 },
  arms: [{ name: 'malt', overrides: {} }],
  seeds: [0],
});
const replica = plan.replicas[0]!;
const { vocabulary } = replica.workflow.spec;
const idOf = (name: string): number => vocabulary.indexOf(name);

/** Every second branch of the router is unreadable and ends; of the answers every second one is right. */
function policies(): PolicyApi[] {
  const router = scriptedPolicy((_, row) => (row % 2 === 0 ? idOf('ANSWER') : 0));
  const search = scriptedPolicy(() => 0);
  const answer = scriptedPolicy((calls, row) => {
    const key = Number(vocabulary[calls.promptTokens[row * calls.promptWidth + 2]!]!.split('_')[1]);
    return idOf(`VALUE_${(key + (row % 2 === 0 ? 1 : 2)) % 8}`);
  });
  const all: PolicyApi[] = [];
  for (const [agent, { cohort }] of replica.seats.entries())
    all[cohort] = [router, search, answer][agent]!;
  return all;
}

const rising = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

test('one tree a task, whose branches all go on: a leaf each, a turn once, values averaged up', async () => {
  const starts = trainingStarts(replica, 1);
  expect(starts.map(({ task }) => task)).toEqual([0, 1]);
  const played = await expandTrees(plan, policies(), starts);
  const first = played.filter(({ task }) => task === 0);
  // Leaves: the unreadable route, the right and the wrong answer.
  expect(rising(first.map(({ teamReward }) => teamReward))).toEqual([0, 0, 1]);
  const turns = first.flatMap((trajectory) => trajectory.turns);
  expect(rising(turns.map(({ agent }) => agent))).toEqual([0, 0, 2, 2]);
  const valuesOf = (agent: number): number[] =>
    rising(turns.flatMap((turn) => (turn.agent === agent ? (turn.branchReward ?? []) : [])));
  // The route that leads to one right answer of two is worth ½, the unreadable one nothing.
  expect(valuesOf(0)).toEqual([0, 0.5]);
  expect(valuesOf(2)).toEqual([0, 1]);
});

test('turns from one state are compared with each other, and with no others', async () => {
  const played = await expandTrees(plan, policies(), trainingStarts(replica, 1));
  const steps = stepsOf(replica, played);
  const inputs = { key: keyFromSeed(0), baselines: initialBaselines(3), critic: null };
  const { advantages, groups } = scoreSteps(steps, replica.training, inputs);
  // An unreadable route costs its penalty of 0.01 beside its value.
  const byAgent = (agent: number): number[] =>
    [...advantages]
      .filter((_, step) => steps.turns[step]!.agent === agent)
      .map((value) => Number(value.toFixed(6)));
  expect(rising(byAgent(0))).toEqual([-0.255, -0.255, 0.255, 0.255]);
  expect(rising(byAgent(2))).toEqual([-0.5, -0.5, 0.5, 0.5]);
  expect([...groups!.center.numSamples]).toEqual([2, 2, 2, 2]);
});
