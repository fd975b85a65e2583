import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MetricRow } from './catalog';
import {
  appendRows,
  appendTrainingTime,
  createRunSeries,
  points,
  rowsFrom,
  seenScope,
  trainingTimePoints,
} from './runSeries';

function row(iteration: number, values: MetricRow['values'], agent = 'search'): MetricRow {
  return { arm: 'global', seed: 0, agent, iteration, values };
}
const gradNorm = { arm: 'global', seed: 0, agent: 'search', metric: 'gradNorm' } as const;

test('training time is summed up beside the rows, iteration 0 stands at 0 s, and a time comes once', () => {
  const series = createRunSeries();
  for (const [iteration, ms] of [900, 1500, 250].entries())
    appendTrainingTime(series, iteration, ms);
  const { iterations, values } = trainingTimePoints(series);
  expect([[...iterations], [...values]]).toEqual([
    [0, 1, 2],
    [0, 1.5, 1.75],
  ]);
  expect(series.rows).toEqual([]);
  expect(() => appendTrainingTime(series, 2, 1)).toThrow(/iteration 2 came after that of 2/);
});

test('a line holds what was logged, NaN and infinities included, and skips what was absent', () => {
  const series = appendRows(createRunSeries(), [
    row(0, { success: 0.5 }, 'team'),
    row(1, { gradNorm: 2, entropy: 1 }),
    row(2, { entropy: 0.9 }),
    row(3, { gradNorm: NaN }),
    row(4, { gradNorm: Infinity }),
  ]);
  const { iterations, values } = points(series, gradNorm);
  expect([...iterations]).toEqual([1, 3, 4]);
  expect([...values]).toEqual([2, NaN, Infinity]);
});

test('a line that was never logged is empty', () => {
  const { iterations, values } = points(createRunSeries(), gradNorm);
  expect([iterations.length, values.length]).toEqual([0, 0]);
});

test('undefined in a row is absent, not a number', () => {
  const hollow = row(1, {});
  Object.assign(hollow.values, { gradNorm: undefined });
  expect(points(appendRows(createRunSeries(), [hollow]), gradNorm).values).toHaveLength(0);
});

test('a view keeps its numbers and its length while the line grows past its first buffer', () => {
  const series = appendRows(createRunSeries(), [row(0, { gradNorm: 7 })]);
  const early = points(series, gradNorm);
  for (let iteration = 1; iteration < 200; iteration++)
    appendRows(series, [row(iteration, { gradNorm: iteration })]);
  expect([...early.values]).toEqual([7]);
  expect(points(series, gradNorm).values).toHaveLength(200);
});

test('an iteration that comes twice is refused with its line named', () => {
  const series = appendRows(createRunSeries(), [row(5, { gradNorm: 1 })]);
  expect(() => appendRows(series, [row(5, { gradNorm: 1 })])).toThrow(
    /gradNorm of global\/0\/search came for iteration 5 after 5/,
  );
});

test('evaluation may come in a row of its own, because order is kept per line', () => {
  const series = appendRows(createRunSeries(), [row(3, { success: 0.2 }, 'team')]);
  appendRows(series, [row(3, { evalSuccess: 0.3 }, 'team')]);
  expect([...points(series, { ...gradNorm, agent: 'team', metric: 'evalSuccess' }).values]).toEqual(
    [0.3],
  );
});

test('the revision counts batches that brought something', () => {
  const series = createRunSeries();
  appendRows(series, [row(0, {}), row(1, {})]);
  appendRows(series, []);
  appendRows(series, [row(2, {})]);
  expect(series.revision).toBe(2);
  expect(rowsFrom(series, 2)).toEqual([row(2, {})]);
  expect(rowsFrom(series, 9)).toEqual([]);
});

test('arms, seeds and agents are listed in the order of their first row, the team is no agent', () => {
  const series = appendRows(createRunSeries(), [
    { arm: 'b', seed: 7, agent: 'team', iteration: 0, values: {} },
    { arm: 'b', seed: 7, agent: 'search', iteration: 0, values: {} },
    { arm: 'a', seed: 1, agent: 'answer', iteration: 0, values: {} },
  ]);
  expect(seenScope(series)).toEqual({
    arms: ['b', 'a'],
    seeds: [7, 1],
    agents: ['search', 'answer'],
  });
});

test('how rows are cut into batches changes no line', () => {
  const logged = fc.array(fc.double(), { maxLength: 150 });
  fc.assert(
    fc.property(logged, fc.integer({ min: 1, max: 40 }), (values, size) => {
      const rows = values.map((value, iteration) => row(iteration, { gradNorm: value }));
      const series = createRunSeries();
      for (let from = 0; from < rows.length; from += size)
        appendRows(series, rows.slice(from, from + size));
      expect([...points(series, gradNorm).values]).toEqual(values);
      expect(rowsFrom(series, 0)).toEqual(rows);
    }),
  );
});
