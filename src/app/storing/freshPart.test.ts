import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MetricRow } from '../../metrics/catalog';
import { appendRows, appendTrainingTime, createRunSeries } from '../../metrics/runSeries';
import { madeUpTranscript } from '../rollouts/testing/madeUpTranscript';
import { freshPart, nothingGiven, type Given, type RunPart } from './freshPart';

/** `agents` rows an iteration, from iteration 0. */
function rowsOf(iteration: number, agents: number): MetricRow[] {
  return Array.from({ length: agents }, (_, i) => ({
    iteration,
    arm: 'a',
    seed: 0,
    agent: `agent${i}`,
    values: { success: iteration + i / 1000 },
  }));
}

function runOf(iterations: number, agents: number) {
  const series = createRunSeries();
  for (let i = 0; i < iterations; i++) {
    appendRows(series, rowsOf(i, agents));
    appendTrainingTime(series, i, 1000);
  }
  return {
    series,
    transcripts: Array.from({ length: iterations }, (_, iteration) =>
      madeUpTranscript({ iteration }),
    ),
  };
}

/** All parts until nothing is left. */
function parts(run: ReturnType<typeof runOf>, from: Given = nothingGiven): RunPart[] {
  const taken: RunPart[] = [];
  let given = from;
  for (let next = freshPart(run, given); next !== null; next = freshPart(run, given)) {
    taken.push(next.part);
    ({ given } = next);
  }
  return taken;
}

test('nothing is next of a run that has logged nothing', () => {
  expect(freshPart(runOf(0, 1), nothingGiven)).toBeNull();
});

test('after some iterations were given, the next part begins with the iteration after them', () => {
  const before = freshPart(runOf(2, 3), nothingGiven);
  expect(before?.given).toEqual({ numRows: 6, numTimes: 2, iteration: 1 });
  const next = freshPart(runOf(4, 3), before!.given);
  expect(next?.part.rows.map(({ iteration }) => iteration)).toEqual([2, 2, 2, 3, 3, 3]);
  // Iteration 0 trains nothing, and each of the others takes one second.
  expect(next?.part.times).toEqual([
    [2, 2],
    [3, 3],
  ]);
  expect(next?.part.transcripts.map(({ iteration }) => iteration)).toEqual([2, 3]);
  expect(freshPart(runOf(4, 3), next!.given)).toBeNull();
});

test('however long the run and wide its iterations: every row and time once, in order, in whole iterations of bounded parts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 2500 }), (n, agents) => {
      const run = runOf(n, agents);
      const taken = parts(run);
      expect(taken.flatMap(({ rows }) => rows)).toEqual(run.series.rows);
      expect(taken.flatMap(({ times }) => times)).toHaveLength(n);
      expect(taken.flatMap(({ transcripts }) => transcripts)).toHaveLength(n);
      for (const { rows } of taken) {
        expect(rows.length % agents).toBe(0);
        expect(rows.length).toBeLessThanOrEqual(Math.max(2000, agents));
      }
    }),
    { numRuns: 20 },
  );
});
