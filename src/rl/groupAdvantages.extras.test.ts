import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimatorPresets } from './estimatorPresets';
import { casesOf, toList, toNumbers, toRecord, toText } from './golden/cases';
import { mismatch } from './golden/mismatch';
import { groupAdvantages } from './groupAdvantages';
import type { StepScores } from './stepScores';

/** One step per trajectory. */
function singleSteps(rewards: ArrayLike<number>, taskIds: ArrayLike<number>): StepScores {
  return {
    rewards: Float64Array.from(rewards),
    taskIds: Int32Array.from(taskIds),
    trajectoryIds: Int32Array.from({ length: rewards.length }, (_, step) => step),
    agentIds: new Int32Array(rewards.length),
  };
}

const numbersOf = (labels: readonly string[]): Int32Array =>
  Int32Array.from(labels, (label) => labels.indexOf(label));

const caseOf = (id: string) => casesOf('extras').find((one) => one.id === id)!;

describe('vectors of an independent implementation', () => {
  test('AT-GRPO groups by task, agent and turn', () => {
    const { id, input, expected, tolerance } = caseOf('atgrpo');
    const rows = toList(input['rows'], id).map((row) => toRecord(row, id));
    const column = (name: string): Float64Array =>
      toNumbers(
        rows.map((row) => row[name]!),
        id,
      );
    const scores = {
      ...singleSteps(column('r'), column('env')),
      agentIds: numbersOf(rows.map((row) => toText(row['agent'], id))),
      turnIndices: Int32Array.from(column('turn')),
    };
    const { advantages } = groupAdvantages(scores, {
      ...estimatorPresets.atGrpo.options,
      minStd: 0,
    });
    expect(mismatch(advantages, toNumbers(expected['advantages'], id), tolerance)).toBeNull();
  });

  test.each(['maxrl_1_4', 'maxrl_0_2', 'maxrl_2_2'])('%s', (name) => {
    const { id, input, expected, tolerance } = caseOf(name);
    const rewards = toNumbers(input['rewards'], id);
    const scores = singleSteps(rewards, new Int32Array(rewards.length));
    const { advantages } = groupAdvantages(scores, estimatorPresets.maxRl.options);
    expect(mismatch(advantages, toNumbers(expected['advantages'], id), tolerance)).toBeNull();
  });

  test('REINFORCE++-baseline whitens over the batch what the group has centered', () => {
    const { id, input, expected, tolerance } = caseOf('reinforce_pp_baseline');
    const scores = singleSteps(toNumbers(input['rewards'], id), toNumbers(input['groups'], id));
    const { advantages } = groupAdvantages(
      scores,
      estimatorPresets.reinforcePlusPlusBaseline.options,
    );
    expect(mismatch(advantages, toNumbers(expected['advantages'], id), tolerance)).toBeNull();
  });

  test('hierarchical GRPO is Dr. GRPO with the solver’s episode, and the proposer’s whole group, as the task', () => {
    const { id, input, expected, tolerance } = caseOf('hierarchical_grpo_mean_only');
    const rows = toList(input['rows'], id).map((row) => toList(row, id));
    const inEpisode = new Set(
      toList(input['episode_agents'], id).map((agent) => toText(agent, id)),
    );
    const groups = rows.map(([episode, agent]) => {
      const role = toText(agent, id);
      return inEpisode.has(role) ? `${role} ${toText(episode, id)}` : role;
    });
    const rewards = toNumbers(
      rows.map((row) => row[2]!),
      id,
    );
    const scores = singleSteps(rewards, numbersOf(groups));
    const { advantages } = groupAdvantages(scores, estimatorPresets.drGrpo.options);
    expect(mismatch(advantages, toNumbers(expected['advantages'], id), tolerance)).toBeNull();
  });
});

const reward = fc.constantFrom(0, 0.1, 0.5, 1, NaN, Infinity);
const sample = fc.record({ reward, task: fc.nat(3), agent: fc.nat(2), turn: fc.nat(2) });

function toScores(
  samples: readonly { reward: number; task: number; agent: number; turn: number }[],
): StepScores {
  return {
    ...singleSteps(
      samples.map((one) => one.reward),
      samples.map((one) => one.task),
    ),
    agentIds: Int32Array.from(samples, (one) => one.agent),
    turnIndices: Int32Array.from(samples, (one) => one.turn),
  };
}

test.each(Object.entries(estimatorPresets))(
  '%s: always finite, 0 for a score that is not, and the order of the steps changes nothing',
  (_name, { options }) => {
    fc.assert(
      fc.property(fc.array(sample, { minLength: 1, maxLength: 14 }), (samples) => {
        const { advantages, numNonFinite } = groupAdvantages(toScores(samples), options);
        expect(advantages.every(Number.isFinite)).toBe(true);
        const broken = samples.flatMap((one, i) =>
          Number.isFinite(one.reward) ? [] : advantages[i]!,
        );
        expect(broken.every((advantage) => advantage === 0)).toBe(true);
        expect(numNonFinite).toBe(broken.length);
        const turned = groupAdvantages(
          toScores(samples.toReversed()),
          options,
        ).advantages.toReversed();
        expect(mismatch(turned, advantages, 1e-9)).toBeNull();
      }),
    );
  },
);

test('float32 rewards 0 and 0.95 × 7 do not cancel: the mean is 0.95 · 7/8 and the deviations add up to 0', () => {
  const rewards = Float32Array.of(0, 0.95, 0.95, 0.95, 0.95, 0.95, 0.95, 0.95);
  const { advantages, center } = groupAdvantages(
    singleSteps(rewards, new Int32Array(8)),
    estimatorPresets.grpoVerl.options,
  );
  const x = Math.fround(0.95);
  // Sample variance of one 0 among seven x: x²·(7/8 · 1/8 · 8)/7 = x²/8.
  expect(center.means[0]).toBeCloseTo((7 * x) / 8, 14);
  expect(center.stds[0]).toBeCloseTo(x / Math.sqrt(8), 14);
  expect(Math.abs(advantages.reduce((sum, advantage) => sum + advantage, 0))).toBeLessThan(1e-12);
});

test('the scope of turns says what is missing', () => {
  const scores = singleSteps([1, 0], [0, 0]);
  expect(() => groupAdvantages(scores, estimatorPresets.atGrpo.options)).toThrow(
    'needs turnIndices',
  );
});
