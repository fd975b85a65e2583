import { expect, test } from 'vitest';
import type { MetricRow } from './catalog';
import { appendRows, createRunSeries, type RunSeries } from './runSeries';
import { summarizeRun } from './summary';

const scope = { arms: ['global'], seeds: [0, 1, 2], agents: ['search'] };

/** One replica: successes of the team from iteration 0 on, norms of `search` from iteration 1 on. */
function log(
  series: RunSeries,
  seed: number,
  lines: { success: readonly number[]; norms: readonly number[] },
): void {
  const rows: MetricRow[] = lines.success.map((success, iteration) => {
    return { arm: 'global', seed, agent: 'team', iteration, values: { success } };
  });
  for (const [index, gradNorm] of lines.norms.entries())
    rows.push({
      arm: 'global',
      seed,
      agent: 'search',
      iteration: index + 1,
      values: { gradNorm },
    });
  appendRows(series, rows);
}

function threeSeeds(): RunSeries {
  const series = createRunSeries();
  log(series, 0, { success: [0.1, 0.8, 0.7], norms: [1, 1, 1, 1, 1, 9] });
  log(series, 1, { success: [0.1, 0.9, 0.9], norms: [1, 1, 1, 1, 1, 1] });
  log(series, 2, { success: [0.1, 0.2, 0.4], norms: [2, NaN, 2] });
  return series;
}

test('a seed has its last, its best at the first iteration that reached it, its peak and its spikes', () => {
  const [arm] = summarizeRun(threeSeeds(), scope).arms;
  expect(arm?.seeds[1]).toEqual({
    seed: 1,
    iterations: 6,
    success: { last: { value: 0.9, iteration: 2 }, best: { value: 0.9, iteration: 1 } },
    evalSuccess: { last: null, best: null },
    collapsedAt: null,
    agents: { search: { peak: { value: 1, iteration: 1 }, numSpikes: 0, numNotFinite: 0 } },
  });
});

test('an arm has medians over its seeds, N, all spikes, and the iterations of its slowest seed', () => {
  const [arm] = summarizeRun(threeSeeds(), scope).arms;
  // last: {0.7, 0.9, 0.4}, best: {0.8 at 1, 0.9 at 1, 0.4 at 2}
  expect(arm?.success.last).toEqual({
    median: 0.7,
    min: 0.4,
    max: 0.9,
    numSeeds: 3,
    iteration: 2,
  });
  expect(arm?.success.best).toEqual({
    median: 0.8,
    min: 0.4,
    max: 0.9,
    numSeeds: 3,
    iteration: 1,
  });
  expect([arm?.numSeeds, arm?.iterations]).toEqual([3, 3]);
  // peaks {9 at 6, 1 at 1, 2 at 1}; spikes: 9 > 3 × 1 in seed 0, none in seed 1, the NaN in seed 2
  expect(arm?.agents['search']).toEqual({
    peak: { median: 2, min: 1, max: 9, numSeeds: 3, iteration: 1 },
    numSpikes: 2,
    medianSpikes: 1,
    numNotFinite: 1,
  });
});

test('the summary is JSON: it survives a round trip unchanged', () => {
  const summary = summarizeRun(threeSeeds(), scope);
  expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
});

test('before the first row an arm has N = 0 and nothing else', () => {
  const [arm] = summarizeRun(createRunSeries(), scope).arms;
  expect([arm?.numSeeds, arm?.iterations, arm?.success.last]).toEqual([0, null, null]);
  expect(arm?.agents['search']).toEqual({
    peak: null,
    numSpikes: 0,
    medianSpikes: null,
    numNotFinite: 0,
  });
  expect(arm?.seeds.map(({ seed }) => seed)).toEqual([0, 1, 2]);
});

test('a seed that has not started is in no median', () => {
  const series = createRunSeries();
  log(series, 1, { success: [0.5], norms: [3] });
  const [arm] = summarizeRun(series, scope).arms;
  expect([arm?.numSeeds, arm?.success.best?.numSeeds]).toEqual([1, 1]);
  expect(arm?.agents['search']?.medianSpikes).toBe(0);
});

function collapse(seed: number, agent: string, marks: readonly number[]): MetricRow[] {
  return marks.map((collapsed, index) => {
    return { arm: 'global', seed, agent, iteration: index + 1, values: { collapsed } };
  });
}

test('a seed has collapsed when its first agent has; an arm counts its seeds', () => {
  const series = threeSeeds();
  const agents = ['router', 'search'];
  appendRows(series, [
    ...collapse(0, 'router', [0, 0, 0, 1, 1]),
    ...collapse(0, 'search', [0, 0, 1, 1, 1]),
    ...collapse(1, 'router', [0, 0, 0]),
  ]);
  const [arm] = summarizeRun(series, { ...scope, agents }).arms;
  expect(arm?.seeds.map(({ collapsedAt }) => collapsedAt)).toEqual([3, null, null]);
  expect(arm?.numCollapsed).toBe(1);
});
