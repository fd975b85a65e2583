import { expect, test } from 'vitest';
import { presets, type PresetId } from '../config/presets';
import { keyFromSeed } from '../rl/rng';
import { scoreSteps } from './advantages';
import { planExperiment } from './cohorts';
import { initialMemory } from './memory';
import { playEpisodes } from './rollout';
import { stepsOf } from './steps';
import { trainingStarts } from './tasks';
import { localPolicy } from './testing/runInProcess';

/** Largest difference between the advantages that two arms of a preset give to the same rollouts of its untrained team. */
async function largestGap(presetId: PresetId, arms: readonly [string, string]): Promise<number> {
  const spec = { ...presets[presetId].spec, backend: 'cpu' as const, seeds: [0] };
  const plan = planExperiment(spec);
  const handles = plan.cohorts.map(localPolicy);
  const policies = handles.map(({ api }) => api);
  await Promise.all(
    plan.cohorts.map((cohort, index) => policies[index]!.create(cohort.spec, cohort.hypers)),
  );
  const [first] = plan.replicas;
  const played = await playEpisodes(plan, policies, trainingStarts(first!, 1), false);
  for (const handle of handles) handle.terminate();
  const [a, b] = arms.map((name) => {
    const replica = plan.replicas.find(({ arm }) => arm === name)!;
    const { baselines } = initialMemory(replica);
    const inputs = { key: keyFromSeed(0), baselines, critic: null };
    return scoreSteps(stepsOf(replica, played), replica.training, inputs).advantages;
  });
  expect(a!.some((advantage) => advantage !== 0)).toBe(true);
  return a!.reduce((largest, value, step) => Math.max(largest, Math.abs(value - b![step]!)), 0);
}

test('null control: where every agent acts once on a shared reward, global and agent-wise advantages agree to 1e-6', async () => {
  expect(await largestGap('solve-verify-null', ['global', 'agentWise'])).toBeLessThan(1e-6);
});

test('in the routed team they do not', async () => {
  const gap = await largestGap('route-search-answer-weak', ['global', 'agentWise']);
  expect(gap).toBeGreaterThan(0.1);
});
