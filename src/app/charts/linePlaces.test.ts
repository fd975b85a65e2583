import { expect, test } from 'vitest';
import type { MetricKey } from '../../metrics/catalog';
import { counterUniform } from '../../metrics/counterUniform';
import {
  appendRows,
  appendTrainingTime,
  createRunSeries,
  type RunSeries,
} from '../../metrics/runSeries';
import { aggregateLines } from './aggregateLines';
import { lineOf, modelOf, plainView, wanted } from './testing/panels';
import { xMismatch } from './xAxis';

/** One seed over 3 iterations with all that an axis may read. */
function walked(): RunSeries {
  const series = createRunSeries();
  for (const [index, [tokenCount, turns, success]] of [
    [0, 8, 0.5],
    [100, 8, 0.9],
    [250, 4, 0.7],
  ].entries()) {
    const row = { arm: 'global', seed: 0, iteration: index };
    appendRows(series, [
      {
        ...row,
        agent: 'search',
        values: { gradNorm: 1 + index, numTurns: turns!, entropy: 3 - index },
      },
      { ...row, agent: 'answer', values: { numTurns: 1 } },
      { ...row, agent: 'team', values: { tokenCount: tokenCount!, success: success! } },
    ]);
    appendTrainingTime(series, index, 500);
  }
  return series;
}

test('a line stands where its arm had got to: tokens, turns of all agents, seconds of training', () => {
  const series = walked();
  const xs = (kind: 'iteration' | 'tokens' | 'environmentSteps' | 'wallTime') =>
    modelOf(series, { seeds: [0], view: { x: { kind } } }).xs;
  expect(xs('iteration')).toEqual([0, 1, 2]);
  expect(xs('tokens')).toEqual([0, 100, 250]);
  // Nothing is learned from the turns of iteration 0; then 8 + 1 and 4 + 1.
  expect(xs('environmentSteps')).toEqual([0, 9, 14]);
  expect(xs('wallTime')).toEqual([0, 0.5, 1]);
});

/** Points of the line over a metric, in the order of the path. */
function pathOver(metric: MetricKey): (number | null)[][] {
  const view = { x: { kind: 'metric', metric } } as const;
  return lineOf(walked(), { seeds: [0], view }).linePoints.map(({ x, center }) => [x, center]);
}

test('over a metric points keep the order of their iterations, and the line may go back', () => {
  expect(pathOver('success')).toEqual([
    [0.5, 1],
    [0.9, 2],
    [0.7, 3],
  ]);
  // Of the panel’s own agent.
  expect(pathOver('entropy').map(([x]) => x)).toEqual([3, 2, 1]);
});

test('over a metric seeds are brought together by iteration, each with both its values or not at all', () => {
  const series = createRunSeries();
  const rows = (seed: number, values: readonly (readonly [number, number | undefined])[]) =>
    appendRows(
      series,
      values.map(([entropy, gradNorm], iteration) => ({
        arm: 'global',
        seed,
        agent: 'search',
        iteration,
        values: { entropy, ...(gradNorm !== undefined && { gradNorm }) },
      })),
    );
  rows(0, [
    [1, 10],
    [2, 20],
    [3, 30],
  ]);
  rows(1, [
    [5, 30],
    [6, undefined],
    [NaN, 50],
  ]);
  const line = lineOf(series, { view: { band: 'std', x: { kind: 'metric', metric: 'entropy' } } });
  // Means of x over the seeds with both: (1 + 5)/2, then seed 0 alone twice; y as on any other axis.
  expect(line.linePoints.map(({ x, center }) => [x, center])).toEqual([
    [3, 20],
    [2, 20],
    [3, 40],
  ]);
  const single = lineOf(series, {
    view: { band: 'seeds', x: { kind: 'metric', metric: 'entropy' } },
  });
  expect(single.seedPoints[1]!.map(({ x, center }) => [x, center])).toEqual([
    [5, 30],
    [NaN, null],
    [NaN, null],
  ]);
});

test('a zoom on a metric takes the points in it, wherever in the run they lie', () => {
  const change = { x: { kind: 'metric', metric: 'success' }, zoom: [0.6, 1] } as const;
  const { lines, xs } = modelOf(walked(), { seeds: [0], view: change });
  expect(xs).toEqual([0.7, 0.9]);
  expect(lines[0]!.linePoints.map(({ center }) => center)).toEqual([null, 2, 3]);
});

test('a team has no place on an axis that each agent has for itself', () => {
  const series = walked();
  const request = {
    ...wanted,
    metrics: ['success'] as const,
    agent: 'team',
    allAgents: ['search'],
  };
  const x = { kind: 'metric', metric: 'entropy' } as const;
  const [line] = aggregateLines(
    series,
    { ...request, view: { ...plainView, x } },
    counterUniform(0),
  );
  expect(line!.x.every(Number.isNaN)).toBe(true);
  expect(xMismatch(x, 'team')).toMatch(/^Entropy is measured for each agent/);
  expect(xMismatch(x, 'search')).toBeNull();
});
