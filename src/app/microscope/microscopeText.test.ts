import { expect, test } from 'vitest';
import { defaultEstimators, defaultFailureTags } from '../../config/defaults';
import type { EstimatorSpec } from '../../config/experimentSpec';
import { groupView } from './groupView';
import { conventionsText, missingGroup, notesOn, scoresText } from './microscopeText';
import { conventionsOf } from './normalizers';
import { madeUpGroup } from './testing/madeUpGroup';

const { group, gae, gigpo } = defaultEstimators;
const choice = { arm: 'global', seed: 0, iteration: 7, taskGroup: 0 };
const oneStep = [{ agent: 0, rollout: 0, score: 1 }];
const kept = [3, 10, 30].map((iteration) => madeUpGroup(oneStep, { iteration }));

test('an iteration that is not kept offers the nearest one, and says why', () => {
  expect(missingGroup(kept, choice)).toEqual({
    text: 'Iteration 7 is not kept: the page keeps the last 20, every 10th before them, and those in which an agent spiked.',
    instead: { ...choice, iteration: 10 },
  });
  expect(missingGroup(kept, { ...choice, iteration: 99 })).toEqual({
    text: 'Iteration 99 is not kept: the newest one of this arm and seed is 30.',
    instead: { ...choice, iteration: 30 },
  });
});

test('a task that the iteration lacks offers its first, an arm that sent nothing what came last', () => {
  expect(missingGroup(kept, { ...choice, iteration: 3, taskGroup: 9 })).toEqual({
    text: 'Iteration 3 of arm global, seed 0 has no step of task 9.',
    instead: { ...choice, iteration: 3 },
  });
  const { instead, text } = missingGroup(kept, { ...choice, arm: 'other' });
  expect(text).toContain('Nothing of arm other, seed 0 is kept');
  expect(instead).toEqual({ ...choice, iteration: 30 });
  expect(missingGroup([], choice).instead).toBeNull();
});

const notes = (steps: Parameters<typeof madeUpGroup>[0], estimator: EstimatorSpec = group) =>
  notesOn(
    groupView(madeUpGroup(steps, { agents: ['router', 'answer'] }), 0, {
      estimator,
      failureTags: defaultFailureTags.none,
    })!,
    estimator,
  );

test('what is particular about a group is said: equal scores, one rollout, an absent agent, no group', () => {
  const plain = [
    { agent: 0, rollout: 0, score: 1 },
    { agent: 1, rollout: 1, score: 0 },
  ];
  expect(notes(plain)).toEqual([]);
  expect(notes(plain, gae)).toEqual([expect.stringContaining('(gae) compares with no group')]);
  expect(notes(plain.map((step) => ({ ...step, score: 0.5 })))).toEqual([
    expect.stringContaining('All scores of this group equal 0.500'),
  ]);
  expect(notes(plain.slice(0, 1))).toEqual([
    expect.stringContaining('One rollout only'),
    'No step of answer in this group: there is nothing to normalize.',
  ]);
  expect(notes(plain.slice(0, 1), { ...group, singleton: 'raw' })[0]).toContain('the raw score');
});

test('conventions are told with their owner', () => {
  expect(conventionsText(conventionsOf(group), group)).toBe(
    'Sample std (n − 1), ε = 10⁻⁶, a std below 10⁻⁶ gives 0, a group of one gets 0: as the arm sets them.',
  );
  expect(conventionsText(conventionsOf({ ...gigpo, ddof: 0 }), gigpo)).toMatch(
    /^Population std \(n\).*the last one by default\.$/,
  );
  expect(conventionsText(conventionsOf(gae), gae)).toContain('defaults');
});

test('scores of an agent are told briefly', () => {
  expect([[], [1], [1, 1, 1], [1, 0.99]].map(scoresText)).toEqual([
    '–',
    '1.00',
    '1.00 ×3',
    '1.00, 0.990',
  ]);
});
