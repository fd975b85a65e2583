import { expect, test } from 'vitest';
import {
  episodeKey,
  initialFilters,
  iterationsOf,
  latestIteration,
  matchingEpisodes,
  sameTaskElsewhere,
  type EpisodeFilters,
} from './episodes';
import { madeUpTranscript, madeUpTurn } from './testing/madeUpTranscript';

const early = madeUpTranscript({ iteration: 1, arm: 'global', seed: 0 });
const solved = madeUpTranscript({ iteration: 2, arm: 'global', seed: 1, teamReward: 1 });
const verified = madeUpTranscript({
  iteration: 2,
  arm: 'agentWise',
  seed: 0,
  task: 3,
  taskStart: 'K2 ASK',
  turns: [madeUpTurn(), madeUpTurn({ agent: 'verifier' })],
});
const all = [early, solved, verified];
const anyIteration = { ...initialFilters, iteration: 'any' as const };

test('at first the latest iteration is listed, and all iterations newest first', () => {
  expect(matchingEpisodes(all, initialFilters)).toEqual([solved, verified]);
  expect(matchingEpisodes(all, anyIteration)).toEqual([solved, verified, early]);
  expect(iterationsOf(all)).toEqual([2, 1]);
  expect(latestIteration(all)).toBe(2);
  expect(latestIteration([])).toBeNull();
});

const listed = (change: Partial<EpisodeFilters>) =>
  matchingEpisodes(all, { ...anyIteration, ...change });

test('every filter restricts by itself, and together they restrict more', () => {
  expect(listed({ outcome: 'solved' })).toEqual([solved]);
  expect(listed({ outcome: 'failed' })).toEqual([verified, early]);
  expect(listed({ agent: 'verifier' })).toEqual([verified]);
  expect(listed({ arm: 'global' })).toEqual([solved, early]);
  expect(listed({ seed: 0 })).toEqual([verified, early]);
  expect(listed({ iteration: 1 })).toEqual([early]);
  expect(listed({ arm: 'global', seed: 0, outcome: 'failed' })).toEqual([early]);
  expect(listed({ arm: 'global', agent: 'verifier' })).toEqual([]);
});

test('an episode is compared with those of its task in other iterations, its own arm and seed first', () => {
  const later = madeUpTranscript({ iteration: 4, arm: 'agentWise' });
  const sibling = madeUpTranscript({ iteration: 1, rollout: 1 });
  const own = madeUpTranscript({ iteration: 3, arm: 'global', seed: 0 });
  // `verified` has another task, `sibling` is of the same iteration.
  const kept = [early, sibling, solved, verified, own, later];
  expect(sameTaskElsewhere(kept, early)).toEqual([own, later, solved]);
});

test('rollouts of one task have names of their own', () => {
  const names = [early, madeUpTranscript({ rollout: 1 }), solved, verified].map(episodeKey);
  expect(new Set(names).size).toBe(4);
});
