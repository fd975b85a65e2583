import { expect, test } from 'vitest';
import { defaultGroups, defaultLosses, defaultSpec } from '../config/defaults';
import type { ExperimentSpec } from '../config/experimentSpec';
import { columnBytes } from '../metrics/columnBytes';
import type { GroupRecord } from '../protocol/trainerApi';
import { keyFromSeed } from '../rl/rng';
import { scoreSteps } from './advantages';
import { planExperiment } from './cohorts';
import type { Trajectory } from './experience';
import { groupRecord, maxRecordBytes, recordsToSend } from './groupRecords';
import type { ReplicaBatch } from './learning';
import { initialMemory } from './memory';
import { stepsOf } from './steps';
import { madeUpTrajectory, madeUpTurn } from './testing/madeUpTurns';
import { eventsOf, tinySpec } from './testing/runInProcess';

const [router, search, answer] = [0, 1, 2];

/** Task 0: a solved and a failed rollout, the second with a penalty of ½. Task 1: equal rewards. */
const trajectories: readonly Trajectory[] = [
  madeUpTrajectory([madeUpTurn(router), madeUpTurn(answer)], { teamReward: 1 }),
  madeUpTrajectory([madeUpTurn(router, { penalty: 0.5 })]),
  madeUpTrajectory([madeUpTurn(router), madeUpTurn(search, { invocation: 2 })], { task: 1 }),
  madeUpTrajectory([madeUpTurn(router)], { task: 1 }),
];

function batchOf(changes: Partial<ExperimentSpec> = {}): Pick<ReplicaBatch, 'replica' | 'scored'> {
  const replica = planExperiment({ ...defaultSpec, seeds: [5], ...changes }).replicas[0]!;
  const { baselines } = initialMemory(replica);
  const inputs = { key: keyFromSeed(0), baselines, critic: null };
  return {
    replica,
    scored: scoreSteps(stepsOf(replica, trajectories), replica.training, inputs),
  };
}

test('every step has a row: who, which task and rollout, where in it, and what it earned', () => {
  const record = groupRecord(batchOf(), 7, ['search']);
  expect(record).toMatchObject({ arm: 'global', seed: 5, iteration: 7, spikingAgents: ['search'] });
  expect(record.agents).toEqual(['router', 'search', 'answer']);
  expect([...record.agentIds]).toEqual([router, answer, router, router, search, router]);
  expect([...record.tasks]).toEqual([0, 0, 0, 1, 1, 1]);
  expect([...record.rollouts]).toEqual([0, 0, 1, 0, 0, 1]);
  expect([...record.turnIndices]).toEqual([0, 1, 0, 0, 1, 0]);
  expect([...record.invocations]).toEqual([-1, -1, -1, -1, 2, -1]);
  expect([...record.scores]).toEqual([1, 1, -0.5, 0, 0, 0]);
  expect(record.weights).toBeNull();
});

test('advantages are those of the update: (1 − ¼)/σ and (−½ − ¼)/σ with σ = 1.5/√2, and 0 where rewards are equal', () => {
  const { advantages } = groupRecord(batchOf(), 7, []);
  // Task 0, trajectories 1 and −½: mean ¼, sample std √(0.75² + 0.75²) = 1.5/√2, so ±1/√2 but for ε = 1e-6.
  const expected = 0.75 / (1.5 / Math.SQRT2 + 1e-6);
  expect([...advantages].map((value) => value.toFixed(12))).toEqual(
    [expected, expected, -expected, 0, 0, 0].map((value) => value.toFixed(12)),
  );
});

test('steps that the update leaves out say so', () => {
  const { isLearned } = groupRecord(
    batchOf({ loss: { ...defaultLosses.clip, dynamicSampling: true } }),
    7,
    [],
  );
  expect([...isLearned]).toEqual([1, 1, 1, 0, 0, 0]);
});

test('the record shares no memory with the batch', () => {
  const batch = batchOf();
  const record = groupRecord(batch, 7, []);
  batch.scored.advantages.fill(9);
  batch.scored.scores.rewards.fill(9);
  expect(Math.max(...record.advantages, ...record.scores)).toBe(1);
});

/** Made-up replicas of one size. */
function replicas(numReplicas: number, spiking: readonly number[] = []): GroupRecord[] {
  const record = groupRecord(batchOf(), 1, []);
  return Array.from({ length: numReplicas }, (_, seed) => ({
    ...record,
    seed,
    spikingAgents: spiking.includes(seed) ? ['router'] : [],
  }));
}

const seedsSent = (records: readonly GroupRecord[], iteration: number, maxBytes: number) =>
  recordsToSend(records, iteration, maxBytes).map(({ seed }) => seed);

test('six steps take 26 bytes each; what fits is sent whole and in order', () => {
  const records = replicas(3);
  expect(columnBytes(records[0]!)).toBe(6 * 26);
  expect(recordsToSend(records, 1)).toEqual(records);
  expect(recordsToSend([], 1)).toEqual([]);
});

test('where only two of five fit, replicas take turns, and one with a spike is always among them', () => {
  const limit = 2 * 6 * 26 + 1;
  const sent = (iteration: number) => seedsSent(replicas(5), iteration, limit);
  expect([5, 6, 7, 8, 9].map(sent)).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
    [0, 4],
  ]);
  expect(seedsSent(replicas(5, [3]), 5, limit)).toEqual([0, 3]);
  // Nothing fits.
  expect(seedsSent(replicas(5, [3]), 5, 100)).toEqual([]);
});

test('a run sends as many steps of each agent as its rows count, with the same second moment', async () => {
  const spec = tinySpec({
    iterations: 2,
    groups: { ...defaultGroups.parallel, tasksPerIteration: 2, groupSize: 4 },
  });
  const events = await eventsOf(spec);
  const iterations = events.flatMap((event) => (event.kind === 'iteration' ? [event] : []));
  expect(iterations[0]!.groups).toEqual([]);
  for (const { groups, rows, iteration } of iterations.slice(1)) {
    expect(groups.map(({ arm }) => arm)).toEqual(spec.arms.map(({ name }) => name));
    for (const record of groups) {
      expect(record.iteration).toBe(iteration);
      for (const [index, agent] of record.agents.entries()) {
        const row = rows.find(
          (candidate) => candidate.arm === record.arm && candidate.agent === agent,
        )!;
        const own = [...record.agentIds.keys()].filter((step) => record.agentIds[step] === index);
        expect(own).toHaveLength(row.values.numTurns!);
        if (own.length === 0) continue;
        const squares = own.reduce((sum, step) => sum + record.advantages[step]! ** 2, 0);
        expect(squares / own.length).toBeCloseTo(row.values.advSecondMoment!, 12);
      }
    }
    expect(groups.reduce((bytes, record) => bytes + columnBytes(record), 0)).toBeLessThan(
      maxRecordBytes,
    );
  }
});
