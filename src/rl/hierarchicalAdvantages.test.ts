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

test('arrays that do not fit are refused', () => {
  const steps = {
    rewards: Float64Array.of(1),
    taskIds: Int32Array.of(0),
    trajectoryIds: Int32Array.of(0),
    agentIds: Int32Array.of(0),
    episodeIds: Int32Array.of(0),
    isSub: new Uint8Array(),
  };
  expect(() => hierarchicalAdvantages(steps)).toThrow('isSub has 0 entries');
});
