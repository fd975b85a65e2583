import { expect, test } from 'vitest';
import { defaultGroups, defaultLosses, defaultSpec } from '../config/defaults';
import type { ExperimentSpec } from '../config/experimentSpec';
import { keyFromSeed } from '../rl/rng';
import { scoreSteps } from './advantages';
import { planExperiment } from './cohorts';
import type { Trajectory } from './experience';
import { itemsToLearn } from './itemsToLearn';
import type { ReplicaBatch } from './learning';
import { initialMemory } from './memory';
import { stepsOf } from './steps';
import { madeUpTrajectory, madeUpTurn } from './testing/madeUpTurns';
import { eventsOf, tinySpec } from './testing/runInProcess';
import { chosenEpisodes, maxTranscripts, placesOf, sampleTranscripts } from './transcripts';

const [router, search, answer] = [0, 1, 2];

/** Two rollouts of one task that differ in reward, and two of another that do not. */
const trajectories: readonly Trajectory[] = [
  madeUpTrajectory(
    [
      madeUpTurn(router, {
        promptTokens: Int32Array.of(1, 2, 0),
        actionTokens: Int32Array.of(3, 0),
        rolloutLogprobs: Float32Array.of(-0.25, -2),
      }),
      madeUpTurn(answer),
    ],
    { teamReward: 1 },
  ),
  madeUpTrajectory([madeUpTurn(router, { isValid: false, penalty: 0.5 })]),
  madeUpTrajectory([madeUpTurn(router), madeUpTurn(search)], { task: 1 }),
  madeUpTrajectory([madeUpTurn(router)], { task: 1 }),
];

function batchOf(changes: Partial<ExperimentSpec> = {}): ReplicaBatch {
  const replica = planExperiment({ ...defaultSpec, seeds: [5], ...changes }).replicas[0]!;
  const memory = initialMemory(replica);
  const inputs = { key: keyFromSeed(0), baselines: memory.baselines, critic: null };
  const scored = scoreSteps(stepsOf(replica, trajectories), replica.training, inputs);
  const oldLogprobs = scored.turns.map(({ rolloutLogprobs }) => rolloutLogprobs);
  return { replica, scored, oldLogprobs, tagScales: null, critic: null, memory };
}

const sampleOf = (batch: ReplicaBatch) =>
  sampleTranscripts([batch.replica], [batch], 7, { forSpikes: [new Map()], blames: new Map() });

test('an episode is told in words, with its task, its rollout among those of the task, and its outcome', () => {
  const batch = batchOf();
  const [first, second, third, fourth] = sampleOf(batch);
  expect(first).toMatchObject({ arm: 'global', seed: 5, iteration: 7, teamReward: 1 });
  expect([first, second, third, fourth].map((episode) => episode!.isSolved)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect([first, second, third, fourth].map((episode) => episode!.rollout)).toEqual([0, 1, 0, 1]);
  expect(third!.task).toBe(1);
  const { vocabulary } = batch.replica.workflow.spec;
  // Padding is left out of what was read, and kept in what was written.
  expect(first!.turns[0]).toMatchObject({
    agent: 'router',
    turnIndex: 0,
    promptTokens: [vocabulary[1], vocabulary[2]],
    actionTokens: [vocabulary[3], vocabulary[0]],
    rolloutLogprobs: [-0.25, -2],
  });
});

test('rollouts of a task begin alike, and another task begins elsewhere', () => {
  const [first, second, third] = sampleOf(batchOf());
  expect(first!.taskStart).not.toBe('');
  expect(second!.taskStart).toBe(first!.taskStart);
  expect(third!.taskStart).not.toBe(first!.taskStart);
});

test('every turn has the advantage that the update learns with, and the reward behind it', () => {
  const batch = batchOf();
  const told = sampleOf(batch).flatMap(({ turns }) => turns);
  const learned = itemsToLearn(batch, 7);
  expect(told.map(({ advantage }) => advantage)).toEqual(learned.map((item) => item.advantage));
  expect(told.some(({ advantage }) => advantage !== 0)).toBe(true);
  // Two turns of a solved episode; 0 less the penalty of 0.5; two failures without one.
  expect(told.map(({ reward }) => reward)).toEqual([1, 1, -0.5, 0, 0, 0]);
  expect(told[2]).toMatchObject({ isValid: false, penalty: 0.5, isLearned: true });
});

test('a turn that the update leaves out says so', () => {
  // The rewards of task 1 are equal, so its group is dropped.
  const batch = batchOf({ loss: { ...defaultLosses.clip, dynamicSampling: true } });
  const told = sampleOf(batch).flatMap(({ turns }) => turns);
  expect(told.map(({ isLearned }) => isLearned)).toEqual([true, true, true, false, false, false]);
  const learned = new Set(itemsToLearn(batch, 7).map(({ turn }) => turn));
  expect(batch.scored.turns.map((turn) => learned.has(turn))).toEqual(
    told.map(({ isLearned }) => isLearned),
  );
});

test('successes and failures share the places, and whoever lacks some leaves them to the other', () => {
  const outcomes = [0, 1, 1, 0, 1, 0].map((teamReward) => ({ teamReward }));
  expect(chosenEpisodes(outcomes, 4, 1)).toEqual([0, 1, 2, 3]);
  // The odd place: a failure in odd iterations, a success in even ones.
  expect(chosenEpisodes(outcomes, 3, 1)).toEqual([0, 1, 3]);
  expect(chosenEpisodes(outcomes, 3, 2)).toEqual([0, 1, 2]);
  expect(chosenEpisodes(outcomes, 5, 1)).toEqual([0, 1, 2, 3, 5]);
  expect(chosenEpisodes([{ teamReward: 0 }, { teamReward: 0 }], 4, 1)).toEqual([0, 1]);
});

test('all replicas together have 24 places at most; more replicas than that take turns', () => {
  for (const numReplicas of [1, 5, 24, 25, 40]) {
    const seen = new Set<number>();
    for (let iteration = 1; iteration <= 40; iteration++) {
      let total = 0;
      for (let replica = 0; replica < numReplicas; replica++) {
        const places = placesOf(replica, numReplicas, iteration);
        total += places;
        if (places > 0) seen.add(replica);
      }
      expect(total).toBeGreaterThan(0);
      expect(total).toBeLessThanOrEqual(maxTranscripts);
    }
    expect(seen.size).toBe(numReplicas);
  }
});

test('a run tells a bounded number of episodes an iteration, the same ones every time', async () => {
  const spec = tinySpec({
    seeds: [0, 1],
    groups: { ...defaultGroups.parallel, tasksPerIteration: 4, groupSize: 8 },
  });
  const told = async () =>
    (await eventsOf(spec)).flatMap((event) =>
      event.kind === 'iteration' ? [event.transcripts] : [],
    );
  const iterations = await told();
  const numReplicas = spec.arms.length * spec.seeds.length;
  const perReplica = Math.floor(maxTranscripts / numReplicas);
  // Iteration 0 has no rollouts.
  expect(iterations.map(({ length }) => length)).toEqual([
    0,
    ...Array.from({ length: spec.iterations }, () => perReplica * numReplicas),
  ]);
  for (const { turns } of iterations.flat())
    for (const { actionTokens, rolloutLogprobs } of turns) {
      expect(rolloutLogprobs).toHaveLength(actionTokens.length);
      for (const logprob of rolloutLogprobs) expect(logprob).toBeLessThanOrEqual(0);
    }
  expect(await told()).toEqual(iterations);
});
