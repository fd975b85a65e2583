import { expect, test } from 'vitest';
import { defaultFailureTags, defaultSpec } from '../config/defaults';
import { keyFromSeed } from '../rl/rng';
import { scoreSteps } from './advantages';
import { initialBaselines } from './baselines';
import { planExperiment } from './cohorts';
import { applyFailureTags, initialTags } from './failureTagging';
import { stepsOf } from './steps';
import { madeUpTrajectory, madeUpTurn } from './testing/madeUpTurns';

const plan = planExperiment({ ...defaultSpec, seeds: [0] }).replicas[0]!;
const passed = madeUpTurn(0);
const unreadable = madeUpTurn(0, { judgement: { tag: 'unreadable', localReward: 0 } });
const wrong = madeUpTurn(2, { judgement: { tag: 'wrongContent', localReward: 0 } });

/** One solved and one failed rollout: advantages ±1/√2 before the tags. */
const scored = scoreSteps(
  stepsOf(plan, [
    madeUpTrajectory([passed, passed], { teamReward: 1 }),
    madeUpTrajectory([unreadable, wrong], { teamReward: 0 }),
  ]),
  plan.training,
  { key: keyFromSeed(0), baselines: initialBaselines(3), critic: null },
);
const spec = {
  ...defaultFailureTags.seal,
  unreadableWeight: 2,
  wrongContentWeight: 1.2,
  passWeight: 0.8,
};

test('a trajectory’s advantages are multiplied by the mean weight of its turns’ tags', () => {
  const { scored: after, scales } = applyFailureTags(scored, spec, initialTags(spec));
  // (0.8 + 0.8)/2 and (2 + 1.2)/2.
  expect([...scales!].map((scale) => Number(scale.toFixed(12)))).toEqual([0.8, 0.8, 1.6, 1.6]);
  for (const [step, before] of scored.advantages.entries())
    expect(after.advantages[step]).toBeCloseTo(before * scales![step]!, 12);
});

test('with the negative ones alone, what was right keeps its advantage', () => {
  const { scored: after } = applyFailureTags(
    scored,
    { ...spec, applyTo: 'negative' },
    initialTags(spec),
  );
  expect(after.advantages[0]).toBe(scored.advantages[0]);
  expect(after.advantages[2]).toBeCloseTo(1.6 * scored.advantages[2]!, 12);
});

test('a tag of failures only gains weight for the next iteration; passed turns keep theirs', () => {
  const { tags } = applyFailureTags(scored, spec, initialTags(spec));
  expect(tags!.weights.get('unreadable')).toBe(2);
  // base·(1 + α·prevalence·stagnation·confidence) = 1.2·(1 + 1/4·1·1/32), moved there by β = 1/4.
  expect(tags!.weights.get('wrongContent')).toBeCloseTo(1.2 + (1.2 * (1 / 4) * (1 / 32)) / 4, 12);
  expect(tags!.weights.get('pass')).toBe(0.8);
});

test('without failure tags nothing changes', () => {
  const none = applyFailureTags(scored, { kind: 'none' }, null);
  expect(none).toEqual({ scored, tags: null, scales: null });
});
