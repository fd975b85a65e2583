import fc from 'fast-check';
import { expect, test } from 'vitest';
import { casesOf, toList, toNumbers, toText } from './golden/cases';
import { mismatch } from './golden/mismatch';
import { hierarchicalAdvantages, type HierarchicalSteps } from './hierarchicalAdvantages';

const numbersOf = (labels: readonly string[]): Int32Array =>
  Int32Array.from(labels, (label) => labels.indexOf(label));

test('solvers within their episode, proposers across the task: as an independent implementation', () => {
  const { id, input, expected, tolerance } = casesOf('extras').find(
    (one) => one.id === 'hierarchical_grpo_mean_only',
  )!;
  const rows = toList(input['rows'], id).map((row) => toList(row, id));
  const inEpisode = new Set(toList(input['episode_agents'], id).map((agent) => toText(agent, id)));
  const agents = rows.map(([, agent]) => toText(agent, id));
  const steps = {
    rewards: toNumbers(
      rows.map((row) => row[2]!),
      id,
    ),
    taskIds: new Int32Array(rows.length),
    trajectoryIds: Int32Array.from(rows, (_, step) => step),
    agentIds: numbersOf(agents),
    episodeIds: numbersOf(rows.map(([episode]) => toText(episode, id))),
    isSub: Uint8Array.from(agents, (agent) => (inEpisode.has(agent) ? 1 : 0)),
  };
  const { advantages } = hierarchicalAdvantages(steps);
  expect(mismatch(advantages, toNumbers(expected['advantages'], id), tolerance)).toBeNull();
});

/** Steps of up to three episodes of two tasks; an episode belongs to one task, an invocation is one step. */
const anySteps = fc
  .array(
    fc.record({
      episode: fc.nat(2),
      agent: fc.nat(1),
      reward: fc.constantFrom(0, 0.5, 1, NaN, Infinity),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((rows): HierarchicalSteps => ({
    rewards: Float64Array.from(rows, ({ reward }) => reward),
    taskIds: Int32Array.from(rows, ({ episode }) => episode % 2),
    trajectoryIds: Int32Array.from(rows, (_, step) => step),
    agentIds: Int32Array.from(rows, ({ agent }) => agent),
    episodeIds: Int32Array.from(rows, ({ episode }) => episode),
    isSub: Uint8Array.from(rows, ({ agent }) => agent),
  }));

test('finite throughout, zero for what is not, and every group adds up to zero', () => {
  fc.assert(
    fc.property(anySteps, (steps) => {
      const { advantages, numNonFinite, center } = hierarchicalAdvantages(steps);
      expect(advantages.every(Number.isFinite)).toBe(true);
      expect(numNonFinite).toBe(steps.rewards.filter((reward) => !Number.isFinite(reward)).length);
      const sums = new Float64Array(center.means.length);
      for (const [step, group] of center.groupIndices.entries()) sums[group]! += advantages[step]!;
      for (const sum of sums) expect(Math.abs(sum)).toBeLessThan(1e-12);
      const shifted = { ...steps, rewards: steps.rewards.map((reward) => reward + 3) };
      expect(mismatch(hierarchicalAdvantages(shifted).advantages, advantages, 1e-12)).toBeNull();
    }),
  );
});

/** One step: reward, sample, agent, episode, taken by a sub-agent. All of one task. */
type Row = readonly [
  reward: number,
  trajectory: number,
  agent: number,
  episode: number,
  isSub: 0 | 1,
];

function oneTask(rows: readonly Row[]): HierarchicalSteps {
  return {
    rewards: Float64Array.from(rows, ([reward]) => reward),
    taskIds: new Int32Array(rows.length),
    trajectoryIds: Int32Array.from(rows, ([, trajectory]) => trajectory),
    agentIds: Int32Array.from(rows, ([, , agent]) => agent),
    episodeIds: Int32Array.from(rows, ([, , , episode]) => episode),
    isSub: Uint8Array.from(rows, ([, , , , isSub]) => isSub),
  };
}

test('two roles outside the episode are not compared with each other', () => {
  // Agent 0: 1 and 0, mean ½. Agent 1, whose rewards are ten times as large: 10 and 30, mean 20.
  const { advantages } = hierarchicalAdvantages(
    oneTask([
      [1, 0, 0, 0, 0],
      [10, 1, 1, 0, 0],
      [0, 2, 0, 1, 0],
      [30, 3, 1, 1, 0],
    ]),
  );
  expect([...advantages]).toEqual([0.5, -10, -0.5, 10]);
});

test('two roles that take turns in one main trajectory are a sample each', () => {
  const { advantages } = hierarchicalAdvantages(
    oneTask([
      [1, 0, 0, 0, 0],
      [10, 0, 1, 0, 0],
      [0, 1, 0, 1, 0],
      [30, 1, 1, 1, 0],
    ]),
  );
  expect([...advantages]).toEqual([0.5, -10, -0.5, 10]);
});

test('two sub-agents of an episode are not compared with each other', () => {
  // Agent 1: 1 and 0, mean ½. Agent 2: 5 and 7, mean 6.
  const { advantages } = hierarchicalAdvantages(
    oneTask([
      [1, 0, 1, 0, 1],
      [0, 1, 1, 0, 1],
      [5, 2, 2, 0, 1],
      [7, 3, 2, 0, 1],
    ]),
  );
  expect([...advantages]).toEqual([0.5, -0.5, -1, 1]);
});

test('an invocation counts once however many turns it took', () => {
  // Invocations worth 1 (three turns) and 0 (one turn): mean ½, not ¾.
  const { advantages } = hierarchicalAdvantages(
    oneTask([
      [1, 0, 1, 0, 1],
      [1, 0, 1, 0, 1],
      [1, 0, 1, 0, 1],
      [0, 1, 1, 0, 1],
    ]),
  );
  expect([...advantages]).toEqual([0.5, 0.5, 0.5, -0.5]);
});

test('a single invocation in its episode and a single main trajectory get 0', () => {
  const { advantages } = hierarchicalAdvantages(
    oneTask([
      [3, 0, 0, 0, 0],
      [7, 1, 1, 0, 1],
    ]),
  );
  expect([...advantages]).toEqual([0, 0]);
});

test('the order of the steps does not matter', () => {
  const shuffled = anySteps.chain((steps) =>
    fc.tuple(
      fc.constant(steps),
      fc.shuffledSubarray([...steps.rewards.keys()], { minLength: steps.rewards.length }),
    ),
  );
  fc.assert(
    fc.property(shuffled, ([steps, order]) => {
      const pick = (ids: Int32Array): Int32Array => Int32Array.from(order, (step) => ids[step]!);
      const { advantages } = hierarchicalAdvantages(steps);
      const moved = hierarchicalAdvantages({
        rewards: Float64Array.from(order, (step) => steps.rewards[step]!),
        isSub: Uint8Array.from(order, (step) => steps.isSub[step]!),
        taskIds: pick(steps.taskIds),
        trajectoryIds: pick(steps.trajectoryIds),
        agentIds: pick(steps.agentIds),
        episodeIds: pick(steps.episodeIds),
      });
      const expected = order.map((step) => advantages[step]!);
      expect(mismatch(moved.advantages, expected, 1e-12)).toBeNull();
    }),
  );
});

test('arrays that do not fit, and an invocation in two episodes, are refused', () => {
  const steps = oneTask([[1, 0, 0, 0, 0]]);
  expect(() => hierarchicalAdvantages({ ...steps, isSub: new Uint8Array() })).toThrow(
    'isSub has 0 entries',
  );
  const astray = oneTask([
    [1, 5, 1, 0, 1],
    [1, 5, 1, 1, 1],
  ]);
  expect(() => hierarchicalAdvantages(astray)).toThrow('trajectory 5');
});
