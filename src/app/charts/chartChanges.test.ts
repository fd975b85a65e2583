import { expect, test } from 'vitest';
import { createRunSeries } from '../../metrics/runSeries';
import { changesOf, placedChanges, type ChartChange } from './chartChanges';
import type { PlotLine } from './PlotLines';
import { logArm, modelOf } from './testing/panels';

function change(iteration: number, arm: string | null): ChartChange {
  return { id: `${iteration}`, iteration, arm, label: `at ${iteration}`, text: '' };
}

function linesOf(faded: readonly string[] = []): PlotLine[] {
  const series = createRunSeries();
  logArm(series, 'global', 0, [1, 2, 3, 4]);
  logArm(series, 'agentWise', 0, [1, 2, 3, 4]);
  return modelOf(series, { arms: ['global', 'agentWise'] }).lines.map((line) => ({
    line,
    id: line.arm,
    isFaded: faded.includes(line.arm),
  }));
}

const iterations = { kind: 'iteration' } as const;

test('over iterations a change stands at its own, also before anything is logged there', () => {
  const changes = [change(2, null), change(9, null)];
  const placed = placedChanges(changes, linesOf(), iterations, [0, 10]);
  expect(placed.map(({ x }) => x)).toEqual([2, 9]);
  expect(placedChanges(changes, linesOf(), iterations, [3, 10]).map(({ x }) => x)).toEqual([9]);
});

test('a change of an arm is drawn while that arm stands forward', () => {
  const changes = [change(2, 'global'), change(3, 'other'), change(4, null)];
  expect(changesOf(changes, linesOf()).map(({ iteration }) => iteration)).toEqual([2, 4]);
  expect(changesOf(changes, linesOf(['global'])).map(({ iteration }) => iteration)).toEqual([4]);
});

test('on another axis it stands where its line stood then, and over a metric nowhere', () => {
  const lines = linesOf();
  for (const { line } of lines)
    for (const [row, x] of line.x.entries()) line.x[row] = x === 3 ? NaN : 100 * x;
  const tokens = { kind: 'tokens' } as const;
  const changes = [change(2, null), change(3, null), change(9, 'global')];
  expect(placedChanges(changes, lines, tokens, [0, 1000]).map(({ x }) => x)).toEqual([200]);
  const metric = { kind: 'metric', metric: 'success' } as const;
  expect(placedChanges(changes, lines, metric, [0, 1000])).toEqual([]);
});
