import { expect, test } from 'vitest';
import type { PolicyApi, SegmentGradients, UpdateBatch } from '../protocol/policyApi';
import { foldIn, keyFromSeed, normal } from '../rl/rng';
import { scoreSteps } from './advantages';
import { planExperiment } from './cohorts';
import type { Trajectory } from './experience';
import { measureConflict } from './gradientConflict';
import type { ReplicaBatch } from './learning';
import { initialMemory } from './memory';
import { stepsOf } from './steps';
import { madeUpTrajectory, madeUpTurn } from './testing/madeUpTurns';
import { tinyPolicies, tinySpec } from './testing/runInProcess';
import { scriptedPolicy } from './testing/scriptedPolicy';

const [router, search, answer] = [0, 1, 2];
const shared = tinySpec({
  agents: { router: { policy: 'one' }, search: { policy: 'one' }, answer: { policy: 'one' } },
  policies: tinyPolicies(['one']),
  arms: [{ name: 'only', overrides: {} }],
});

/** A turn's gradient is written in its prompt: the direction along the first axis; noise of this size on 20 others. */
interface Noise {
  readonly size: number;
}

function gradientOf(batch: UpdateBatch, row: number, { size }: Noise): number[] {
  const direction = batch.promptTokens[row * batch.promptWidth]! - 1;
  // Of the turn, wherever the batch has it: its third token numbers it.
  const turn = batch.promptTokens[row * batch.promptWidth + 2]!;
  const noise = Array.from(
    { length: 20 },
    (_, i) => size * normal(foldIn(keyFromSeed(3), turn), i),
  );
  return [direction, ...noise];
}

/** A policy of such gradients; remembers what it was asked. */
function writtenPolicy(noise: Noise): { api: PolicyApi; batches: UpdateBatch[] } {
  const batches: UpdateBatch[] = [];
  const segmentGradients = (batch: UpdateBatch): Promise<SegmentGradients[]> => {
    batches.push(batch);
    const segments = [...new Set(batch.agents)].toSorted((a, b) => a - b);
    const sums = segments.map((segment) =>
      [...batch.agents.keys()]
        .filter((row) => batch.agents[row] === segment)
        .map((row) => gradientOf(batch, row, noise))
        .reduce((sum, gradient) => sum.map((value, i) => value + gradient[i]!)),
    );
    const products = Float64Array.from(
      sums.flatMap((a) => sums.map((b) => a.reduce((sum, value, i) => sum + value * b[i]!, 0))),
    );
    return Promise.resolve([
      { replica: 0, segments, products, tensorSquares: new Float64Array(segments.length) },
    ]);
  };
  return { api: { ...scriptedPolicy(() => 0), segmentGradients }, batches };
}

/** `number` tells turns apart; the direction + 1 stands in the prompt. */
function directed(agent: number, direction: number, number: number) {
  return madeUpTurn(agent, { promptTokens: Int32Array.of(direction + 1, 0, number) });
}

/** Ten episodes: the router moves, search moves, half of the time the router moves again; directions + 1 stand in the prompts. */
function episodes(directions: { router: number; again: number; search: number }): Trajectory[] {
  return Array.from({ length: 10 }, (_, i) =>
    madeUpTrajectory(
      [
        directed(router, directions.router, 3 * i),
        directed(search, directions.search, 3 * i + 1),
        ...(i % 2 === 0 ? [directed(router, directions.again, 3 * i + 2)] : []),
      ],
      { task: i % 2, teamReward: i % 3 },
    ),
  );
}

async function measured(trajectories: Trajectory[], noise: Noise) {
  const plan = planExperiment(shared);
  const [replica] = plan.replicas;
  const memory = initialMemory(replica!);
  const steps = stepsOf(replica!, trajectories);
  const inputs = { key: keyFromSeed(0), baselines: memory.baselines, critic: null };
  const batch: ReplicaBatch = {
    replica: replica!,
    scored: scoreSteps(steps, replica!.training, inputs),
    oldLogprobs: steps.turns.map(({ rolloutLogprobs }) => rolloutLogprobs),
    tagScales: null,
    critic: null,
    memory,
  };
  const { api, batches } = writtenPolicy(noise);
  const [reading] = await measureConflict({ plan, policies: [api] }, [batch], 4);
  return { reading: reading!, batches };
}

const quiet = { size: 0.1 };

test('agents that pull the same way are no conflict, agents that pull apart are', async () => {
  const same = await measured(episodes({ router: 1, again: 1, search: 1 }), quiet);
  const apart = await measured(episodes({ router: 1, again: 1, search: -1 }), quiet);
  for (const { reading, cosine, isConflict } of [
    { ...same, cosine: 1, isConflict: false },
    { ...apart, cosine: -1, isConflict: true },
  ]) {
    expect(reading.pairs.map(({ a, b }) => [a, b])).toEqual([[router, search]]);
    const { angle } = reading.pairs[0]!;
    // Sums of ten: noise of 0.1·√(20/10) ≈ 0.14 beside 1 on either side.
    expect(Math.abs(angle.cosine - cosine)).toBeLessThan(0.05);
    expect(angle.low).toBeGreaterThan(0.8);
    expect(angle.low).toBeLessThanOrEqual(angle.median);
    expect(angle.isConflict).toBe(isConflict);
  }
});

test('noise that drowns the direction makes a wide null, in which opposite agents are no conflict', async () => {
  const { reading } = await measured(episodes({ router: 0, again: 0, search: 0 }), { size: 1 });
  const { angle } = reading.pairs[0]!;
  expect(angle.low).toBeLessThan(0);
  expect(Math.abs(angle.median)).toBeLessThan(0.5);
});

test('an agent’s later turns against its first are a conflict of its own; one without later turns has none', async () => {
  const { reading } = await measured(episodes({ router: 1, again: -1, search: 1 }), quiet);
  expect(reading.spans[router]).toMatchObject({ isConflict: true });
  expect(reading.spans[router]!.cosine).toBeLessThan(-0.9);
  expect(reading.spans[search]).toBeNull();
  expect(reading.spans[answer]).toBeNull();
  const same = await measured(episodes({ router: 1, again: 1, search: 1 }), quiet);
  expect(same.reading.spans[router]).toMatchObject({ isConflict: false });
});

test('eight splits deal every agent’s trajectories, and those with later turns, into halves that differ by one at most', async () => {
  const { batches } = await measured(episodes({ router: 1, again: 1, search: 1 }), quiet);
  expect(batches).toHaveLength(8);
  const splits = batches.map(({ agents }) => [...agents].join());
  expect(new Set(splits).size).toBeGreaterThan(4);
  for (const { agents } of batches) {
    const count = (segment: number): number => agents.filter((own) => own === segment).length;
    // 10 first turns of either agent; 5 later ones of the router.
    expect([count(0), count(1), count(4), count(5)]).toEqual([5, 5, 5, 5]);
    expect([count(2), count(3)].toSorted((a, b) => a - b)).toEqual([2, 3]);
    expect(count(6) + count(7)).toBe(0);
  }
});

test('the same iteration is split the same way again', async () => {
  const trajectories = episodes({ router: 1, again: 1, search: 1 });
  const [first, second] = [
    await measured(trajectories, quiet),
    await measured(trajectories, quiet),
  ];
  expect(second.batches.map(({ agents }) => agents)).toEqual(
    first.batches.map(({ agents }) => agents),
  );
});
