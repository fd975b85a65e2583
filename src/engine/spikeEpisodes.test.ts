import { expect, test } from 'vitest';
import { defaultSpec } from '../config/defaults';
import { keyFromSeed } from '../rl/rng';
import { scoreSteps } from './advantages';
import { planExperiment } from './cohorts';
import type { Trajectory } from './experience';
import { initialMemory } from './memory';
import {
  spikeEpisodes,
  maxEpisodesPerSpike,
  maxSpikeEpisodes,
  type SpikingBatch,
} from './spikeEpisodes';
import { initialSpikes, watchSpikes } from './spikeWatch';
import { stepsOf } from './steps';
import { madeUpTrajectory, madeUpTurn } from './testing/madeUpTurns';
import { sampleTranscripts } from './transcripts';

const [router, search, answer] = [0, 1, 2];
const plan = planExperiment({ ...defaultSpec, seeds: [5] });
const [replica] = plan.replicas;

function spiking(trajectories: readonly Trajectory[], agents: readonly number[]): SpikingBatch {
  const { baselines } = initialMemory(replica!);
  const inputs = { key: keyFromSeed(0), baselines, critic: null };
  const scored = scoreSteps(stepsOf(replica!, trajectories), replica!.training, inputs);
  return { batch: { replica: replica!, scored }, agents };
}

/** Task 0: one success in four, answered by the only rollout that reaches an answer. Task 1: one in two. */
const trajectories: readonly Trajectory[] = [
  madeUpTrajectory([madeUpTurn(router)]),
  madeUpTrajectory([madeUpTurn(router)]),
  madeUpTrajectory([madeUpTurn(router), madeUpTurn(answer)], { teamReward: 1 }),
  madeUpTrajectory([madeUpTurn(router)]),
  madeUpTrajectory([madeUpTurn(router), madeUpTurn(answer)], { task: 1 }),
  madeUpTrajectory([madeUpTurn(router)], { task: 1, teamReward: 1 }),
];

test('the episodes are those of the group with the largest share of the agent’s Σ w·A², largest first', () => {
  // Sample std: task 0 (0, 0, 1, 0) ½, so A = 1.5 and −0.5; task 1 ±1/√2. The answer has 2.25 in task 0 and 0.5 in task 1.
  expect(spikeEpisodes([spiking(trajectories, [answer])])).toEqual([new Map([[2, [answer]]])]);
  // The router: 2.25 + 3·0.25 = 3 in task 0, 1 in task 1.
  const [told] = spikeEpisodes([spiking(trajectories, [router, answer])]);
  expect([...told!.keys()]).toEqual([2, 0, 1, 3]);
  expect(told!.get(2)).toEqual([router, answer]);
});

test('an agent that did not act, and a batch without a signal, tell nothing', () => {
  expect(spikeEpisodes([spiking(trajectories, [search])])).toEqual([new Map()]);
  const equal = [madeUpTrajectory([madeUpTurn(router)]), madeUpTrajectory([madeUpTurn(router)])];
  expect(spikeEpisodes([spiking(equal, [router])])).toEqual([new Map()]);
  expect(spikeEpisodes([])).toEqual([]);
});

test('eight episodes a spike at most, 24 for all of them, one of each spike at least', () => {
  const many = Array.from({ length: 20 }, (_, index) =>
    madeUpTrajectory([madeUpTurn(router)], { teamReward: index % 2 }),
  );
  const batch = spiking(many, [router]);
  const sizes = (numSpikes: number) =>
    spikeEpisodes(Array.from({ length: numSpikes }, () => batch)).map(({ size }) => size);
  expect(sizes(1)).toEqual([maxEpisodesPerSpike]);
  expect(sizes(3)).toEqual([8, 8, 8]);
  expect(sizes(5)).toEqual([5, 5, 5, 5, 4]);
  expect(sizes(5).reduce((a, b) => a + b)).toBe(maxSpikeEpisodes);
  expect(sizes(30)).toEqual(Array.from({ length: 30 }, () => 1));
});

test('they are told beside the sample, once each, and say for whom', () => {
  const batch = spiking(trajectories, [answer]);
  const told = sampleTranscripts(plan.replicas, [batch.batch], 1, {
    forSpikes: spikeEpisodes([batch]),
    blames: new Map(),
  });
  expect(new Set(told.map(({ task, rollout }) => `${task} ${rollout}`)).size).toBe(told.length);
  expect(told.filter(({ spikingAgents }) => spikingAgents.length > 0)).toMatchObject([
    { task: 0, rollout: 2, spikingAgents: ['answer'] },
  ]);
});

const row = (iteration: number, gradNorm: number) => ({
  iteration,
  arm: 'global',
  seed: 5,
  agent: 'answer',
  values: { gradNorm },
});

test('a norm above three times the median of the last ones spikes, and the memory before it stays as it was', () => {
  let memory = initialSpikes(replica!);
  for (let iteration = 1; iteration <= 5; iteration++)
    ({ memory } = watchSpikes(replica!, memory, [row(iteration, 2)]));
  const before = structuredClone(memory);
  const spike = watchSpikes(replica!, memory, [row(6, 6.1)]);
  expect(spike.agents).toEqual([answer]);
  expect(memory).toEqual(before);
  // The same iteration, begun again from the same memory.
  expect(watchSpikes(replica!, memory, [row(6, 6.1)])).toEqual(spike);
  expect(watchSpikes(replica!, memory, [row(6, 6)]).agents).toEqual([]);
  expect(watchSpikes(replica!, memory, [])).toEqual({ memory, agents: [] });
});
