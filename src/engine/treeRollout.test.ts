import { expect, test } from 'vitest';
import {
  defaultEnvironments,
  defaultEstimators,
  defaultGroups,
  defaultSpec,
} from '../config/defaults';
import type { PolicyApi } from '../protocol/policyApi';
import { planExperiment, type ExperimentPlan } from './cohorts';
import { trainingStarts } from './tasks';
import { scriptedPolicy } from './testing/scriptedPolicy';
import { playTrees } from './treeRollout';

/** Easy questions: the router has to call the answer agent, whose answer is key + 1. */
function planOf(groupSize: number): ExperimentPlan {
  return planExperiment({
    ...defaultSpec,
    environment: { ...defaultEnvironments.routeSearchAnswer, searchShare: 0 },
    estimator: { ...defaultEstimators.group, scope: 'taskAgentTurn', unit: 'step' },
    groups: { ...defaultGroups.tree, tasksPerIteration: 1, groupSize },
    arms: [{ name: 'tree', overrides: {} }],
    seeds: [0],
  });
}

const tokenNamed = (plan: ExperimentPlan, name: string): number =>
  plan.replicas[0]!.workflow.spec.vocabulary.indexOf(name);

test('every turn has K branches from the same state, and the trunk goes on from the best of them', async () => {
  const plan = planOf(3);
  const [route, ask, pad] = [tokenNamed(plan, 'SEARCH'), tokenNamed(plan, 'ANSWER'), 0];
  // Branches of the router: a needless search, the right call, an unreadable token. Row = branch: one task.
  const router = scriptedPolicy((_, row) => [route, ask, pad][row]!);
  const answered = scriptedPolicy((calls, row) => {
    const key = calls.promptTokens[row * calls.promptWidth + 2]!;
    const keyIndex = Number(plan.replicas[0]!.workflow.spec.vocabulary[key]!.split('_')[1]);
    return tokenNamed(plan, `VALUE_${row === 2 ? (keyIndex + 1) % 8 : (keyIndex + 2) % 8}`);
  });
  const never = scriptedPolicy(() => {
    throw new Error('The search agent is not called on the trunk.');
  });
  const seats = plan.replicas[0]!.seats.map(({ cohort }) => cohort);
  const policies: PolicyApi[] = [];
  for (const [agent, cohort] of seats.entries())
    policies[cohort] = [router, never, answered][agent]!;
  const played = await playTrees(plan, policies, trainingStarts(plan.replicas[0]!, 1));
  expect(played).toHaveLength(3);
  for (const trajectory of played) {
    expect(trajectory.turns.map(({ agent }) => agent)).toEqual([0, 2]);
    // The third branch of the answer is right and ends the episode: the outcome of the trunk.
    expect(trajectory.teamReward).toBe(1);
    const [first, second] = trajectory.turns;
    expect(first!.promptTokens).toEqual(played[0]!.turns[0]!.promptTokens);
    expect(second!.promptTokens).toEqual(played[0]!.turns[1]!.promptTokens);
  }
  // Local rewards of the router's branches; the unreadable one ended an episode that was not solved.
  expect(played.map(({ turns }) => turns[0]!.branchReward)).toEqual([0, 1, 0]);
  // α·1 + 1 for the right answer, nothing for the two wrong ones.
  expect(played.map(({ turns }) => turns[1]!.branchReward)).toEqual([0, 0, 2]);
});
