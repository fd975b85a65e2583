import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KeptEvent } from '../../storage/storageApi';
import { madeUpTranscript } from '../rollouts/testing/madeUpTranscript';
import { isKept, lastIteration, nextBatch, withEvent } from './waitingEvents';

function iteration(index: number, numRows = 1): KeptEvent {
  return {
    kind: 'iteration',
    iteration: index,
    rows: Array.from({ length: numRows }, (_, i) => ({
      iteration: index,
      arm: 'a',
      seed: 0,
      agent: `agent${i}`,
      values: {},
    })),
    transcripts: [madeUpTranscript({ iteration: index })],
    groups: [],
    gradientPairs: [],
    tokens: 1,
    times: { rolloutMs: 1, advantagesMs: 1, diagnosticsMs: 0, updateMs: 1 },
  };
}

const notice: KeptEvent = { kind: 'notice', message: 'Slow.' };

test('where a run stands is told apart, what it tells is kept', () => {
  expect(isKept(notice)).toBe(true);
  expect(isKept({ kind: 'paused', iteration: 3 })).toBe(false);
});

test('however long the wait and wide the iterations: everything once, in order, in batches that are bounded or one iteration', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1500 }), { maxLength: 12 }), (widths) => {
      const all = [notice, ...widths.map((width, index) => iteration(index, width)), notice];
      const taken: KeptEvent[] = [];
      while (taken.length < all.length) {
        const batch = nextBatch(all.slice(taken.length));
        expect(batch.length).toBeGreaterThan(0);
        const wide = batch.filter((event) => event.kind === 'iteration' && event.rows.length > 0);
        const rows = wide.reduce(
          (sum, one) => sum + (one.kind === 'iteration' ? one.rows.length : 0),
          0,
        );
        expect(wide.length <= 1 || rows <= 2000).toBe(true);
        taken.push(...batch);
      }
      expect(taken).toEqual(all);
    }),
    { numRuns: 30 },
  );
});

test('what waits long keeps every row and loses the episodes that the page has forgotten', () => {
  let waiting: readonly KeptEvent[] = [notice];
  for (let index = 0; index < 120; index++) waiting = withEvent(waiting, iteration(index));
  const told = waiting.filter((event) => event.kind === 'iteration');
  expect(told.map((event) => event.iteration)).toEqual(Array.from({ length: 120 }, (_, i) => i));
  expect(told.every(({ rows }) => rows.length === 1)).toBe(true);
  // At iteration 119 the last 20 and every tenth are remembered.
  const withEpisodes = told.filter(({ transcripts }) => transcripts.length > 0);
  expect(withEpisodes.map((event) => event.iteration)).toEqual([
    0,
    10,
    20,
    30,
    40,
    50,
    60,
    70,
    80,
    90,
    ...Array.from({ length: 20 }, (_, i) => 100 + i),
  ]);
  expect(lastIteration(waiting)).toBe(119);
});
