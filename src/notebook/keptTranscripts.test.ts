import { expect, test } from 'vitest';
import type { Transcript } from '../protocol/trainerApi';
import { madeUpTranscript } from '../app/rollouts/testing/madeUpTranscript';
import { keepTranscripts } from './keptTranscripts';

/** Iterations of what is kept after `latest` iterations of one episode each. */
function keptAfter(latest: number): number[] {
  let kept: readonly Transcript[] = [];
  for (let iteration = 1; iteration <= latest; iteration++)
    kept = keepTranscripts(kept, [madeUpTranscript({ iteration })]);
  return kept.map(({ iteration }) => iteration);
}

const upTo = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, place) => first + place);

test('the last 20 iterations stay, oldest first, and every 10th before them', () => {
  expect(keptAfter(20)).toEqual(upTo(1, 20));
  expect(keptAfter(23)).toEqual(upTo(4, 23));
  expect(keptAfter(45)).toEqual([10, 20, ...upTo(26, 45)]);
});

test('a long run keeps ever fewer of its old iterations, 70 in all at most', () => {
  // 510/10 would be 51: from here on every 20th.
  expect(keptAfter(510).slice(0, 3)).toEqual([20, 40, 60]);
  for (const latest of [500, 501, 999, 1001, 5000])
    expect(keptAfter(latest).length).toBeLessThanOrEqual(70);
});

test('an iteration without episodes changes nothing, and one with several keeps them all', () => {
  const kept = [madeUpTranscript()];
  expect(keepTranscripts(kept, [])).toBe(kept);
  const fresh = [
    madeUpTranscript({ iteration: 2 }),
    madeUpTranscript({ iteration: 2, rollout: 1 }),
  ];
  expect(keepTranscripts(kept, fresh)).toEqual([...kept, ...fresh]);
});

test('episodes told for a spike stay whatever their iteration, the latest 400 of them', () => {
  let kept: readonly Transcript[] = [];
  for (let iteration = 1; iteration <= 500; iteration++) {
    const spike = madeUpTranscript({ iteration, rollout: 1, spikingAgents: ['solver'] });
    kept = keepTranscripts(kept, [madeUpTranscript({ iteration }), spike]);
  }
  // Of iterations 1 to 480 every tenth is kept anyway: 432 others. The first 32 of those, in iterations 1 to 35, are forgotten.
  expect(kept.filter(({ rollout }) => rollout === 0)).toHaveLength(20 + 48);
  expect(kept.filter(({ rollout }) => rollout === 1)).toHaveLength(400 + 20 + 48);
  expect(kept.map(({ iteration }) => iteration)).not.toContain(35);
  expect(kept.map(({ iteration }) => iteration)).toContain(36);
});
