import { bench, describe } from 'vitest';
import { estimatorPresets } from './estimatorPresets';
import { groupAdvantages } from './groupAdvantages';
import { keyFromSeed, uniform, uniformInt } from './rng';
import type { StepScores } from './stepScores';

/** Tasks of 64 trajectories with 1 to 5 steps of three agents; the number of steps stands in the title: divide it by the mean. */
function stepsOf(numTasks: number): StepScores {
  const key = keyFromSeed(0);
  const steps = Array.from({ length: numTasks * 64 }, (_, trajectory) => {
    const reward = uniform(key, trajectory) < 0.3 ? 1 : 0;
    return Array.from({ length: 1 + (trajectory % 5) }, (_step, step) => ({
      reward,
      task: Math.floor(trajectory / 64),
      trajectory,
      agent: uniformInt(key, 7 * trajectory + step, 3),
    }));
  }).flat();
  return {
    rewards: Float64Array.from(steps, ({ reward }) => reward),
    taskIds: Int32Array.from(steps, ({ task }) => task),
    trajectoryIds: Int32Array.from(steps, ({ trajectory }) => trajectory),
    agentIds: Int32Array.from(steps, ({ agent }) => agent),
  };
}

const scores = stepsOf(1024);

describe(`groupAdvantages over ${scores.rewards.length} steps in groups of 64 trajectories`, () => {
  for (const name of ['grpoVerl', 'globalStep', 'drMasCode'] as const)
    bench(estimatorPresets[name].label, () => {
      groupAdvantages(scores, estimatorPresets[name].options);
    });
});
