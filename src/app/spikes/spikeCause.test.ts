import { expect, test } from 'vitest';
import { madeUpGroup } from '../microscope/testing/madeUpGroup';
import { madeUpTranscript } from '../rollouts/testing/madeUpTranscript';
import { spikeCause } from './spikeCause';
import type { Spike } from './spikeList';
import {
  factorText,
  missingBatch,
  missingEpisodes,
  percentText,
  spikeSentence,
  zText,
} from './spikeText';

const spike: Spike = {
  arm: 'global',
  seed: 0,
  agent: 'answer',
  iteration: 9,
  norm: 8,
  medianBefore: 2,
  zScore: 6.5,
};
const answer = 2;

/** Σ A² of the answer: task 0 has 1, task 1 has 9 + 4 + 4 = 17 of which rollout 2 has 8. The 50 was not learned from. */
const record = madeUpGroup(
  [
    { agent: answer, task: 0, rollout: 0, score: 1, advantage: 1 },
    { agent: 0, task: 0, rollout: 1, score: 1, advantage: 30 },
    { agent: answer, task: 1, rollout: 0, score: 1, advantage: 3 },
    { agent: answer, task: 1, rollout: 2, score: 0, advantage: -2 },
    { agent: answer, task: 1, rollout: 2, score: 0, advantage: -2 },
    { agent: answer, task: 1, rollout: 3, score: 0, advantage: 50, isLearned: false },
  ],
  { iteration: 9, spikingAgents: ['answer'] },
);

const told = (task: number, rollout: number, changes = {}) =>
  madeUpTranscript({ iteration: 9, task, rollout, ...changes });

test('groups are ranked by their share of the agent’s Σ w·A², and their episodes likewise', () => {
  const transcripts = [
    told(1, 3),
    told(1, 2),
    told(1, 0),
    told(1, 0, { seed: 1 }),
    told(1, 0, { iteration: 8 }),
  ];
  const { groups } = spikeCause(spike, { groups: [record], transcripts });
  expect(groups).toMatchObject([
    { id: 1, numSteps: 3, squares: 17, share: 17 / 18, largest: 3, numRollouts: 3 },
    { id: 0, numSteps: 1, squares: 1, share: 1 / 18, largest: 1, numRollouts: 2 },
  ]);
  // 9, then 8, then the one that was not learned from.
  expect(groups[0]!.episodes.map(({ rollout }) => rollout)).toEqual([0, 2, 3]);
  expect(groups[0]!.episodes.every((episode) => transcripts.slice(0, 3).includes(episode))).toBe(
    true,
  );
  expect(groups[1]!.episodes).toEqual([]);
});

test('what is no longer kept is said exactly: the steps, the episodes, or a part of them', () => {
  const nothing = spikeCause(spike, { groups: [], transcripts: [] });
  expect(nothing).toEqual({ record: null, groups: [], episodes: [] });
  expect(missingBatch(nothing, spike)).toMatch(
    /^The steps of iteration 9 \(global, seed 0\) are not kept.*No episode of it is kept either\.$/,
  );
  const episodesOnly = spikeCause(spike, { groups: [], transcripts: [told(1, 0), told(1, 2)] });
  expect(missingBatch(episodesOnly, spike)).toContain('2 of its episodes are kept');

  const { groups, ...rest } = spikeCause(spike, { groups: [record], transcripts: [told(1, 0)] });
  expect(missingBatch({ groups, ...rest }, spike)).toBeNull();
  expect(missingEpisodes(groups[0]!)).toMatch(/^Kept as episodes: 1 of the 3 rollouts of task 1/);
  expect(missingEpisodes(groups[1]!)).toMatch(/^No episode of task 0 is kept: of 2 rollouts/);
  expect(missingEpisodes({ ...groups[0]!, numRollouts: 1 })).toBeNull();
});

test('an agent that the update learned nothing from has no groups', () => {
  const cause = spikeCause({ ...spike, agent: 'search' }, { groups: [record], transcripts: [] });
  expect(cause.groups).toEqual([]);
  expect(missingBatch(cause, { ...spike, agent: 'search' })).toContain('no step of search');
});

test('a spike in numbers and in a sentence', () => {
  expect(factorText(spike)).toBe('×4.00');
  expect(zText(spike)).toBe('6.50');
  expect(percentText(17 / 18)).toBe('94.4 %');
  expect(spikeSentence(spike)).toBe(
    'Gradient norm 8.00, ×4.00 the median 2.00 of the norms before it, robust z-score of its logarithm 6.50.',
  );
  const broken = { ...spike, norm: NaN, medianBefore: NaN, zScore: Infinity };
  expect(factorText(broken)).toBe('–');
  expect(spikeSentence(broken)).toMatch(/^The gradient norm is NaN/);
});
