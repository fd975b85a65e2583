import { defaultGroups } from '../config/defaults';
import { expect, test } from 'vitest';
import { presets } from '../config/presets';
import type { MetricRow } from '../metrics/catalog';
import { eventsOf, rowsOf, tinyPolicies, tinySpec } from './testing/runInProcess';

/** M-GRPO and its two baselines, small. */
async function rowsOfRun(): Promise<MetricRow[]> {
  const { environment, agents, estimator, arms } = presets['plan-execute'].spec;
  const spec = tinySpec({
    environment,
    agents,
    estimator,
    arms,
    policies: tinyPolicies(['planner', 'executor']),
    groups: { ...defaultGroups.parallel, tasksPerIteration: 3, groupSize: 6 },
    warmStart: { targetSuccess: 0.9, maxSteps: 12, tasksPerStep: 16, learningRate: 0.02 },
  });
  return rowsOf(await eventsOf(spec));
}

test('planner and executor both learn under M-GRPO; a frozen executor acts and takes no step; a single agent calls nobody', async () => {
  const rows = await rowsOfRun();
  const executor = (arm: string): MetricRow['values'][] =>
    rows.filter((row) => row.arm === arm && row.agent === 'executor').map(({ values }) => values);
  expect(executor('mgrpo')).toHaveLength(3);
  for (const values of executor('mgrpo')) {
    expect(values.numTurns).toBeGreaterThan(0);
    expect(values).toHaveProperty('gradNorm');
    // Format, main correctness and oracle: 0 … 1, and not the planner's reward.
    expect(values.rewardMean).toBeGreaterThanOrEqual(0);
    expect(values.rewardMean).toBeLessThanOrEqual(1);
  }
  // A single iteration may happen to have groups of equal rewards only, and then no gradient.
  expect(Math.max(...executor('mgrpo').map(({ gradNorm }) => gradNorm!))).toBeGreaterThan(0);
  for (const values of executor('frozenExecutor')) {
    expect(values.numTurns).toBeGreaterThan(0);
    expect(values).not.toHaveProperty('gradNorm');
  }
  for (const values of executor('singleAgent')) expect(values).toEqual({ numTurns: 0 });
  const planners = rows.filter(({ agent }) => agent === 'planner');
  expect(planners.every(({ values }) => (values.gradNorm ?? 0) >= 0 && 'gradNorm' in values)).toBe(
    true,
  );
});
