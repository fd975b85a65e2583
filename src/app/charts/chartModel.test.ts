import { expect, test } from 'vitest';
import { appendRows, createRunSeries, type RunSeries } from '../../metrics/runSeries';
import { maxLines, panelModel, thinnedMarkers, type PanelRequest } from './chartModel';

const request: PanelRequest = {
  arms: ['global'],
  seeds: [0, 1],
  agent: 'search',
  metrics: ['gradNorm'],
  scale: 'log',
  hasSpikeMarks: true,
  axisAgents: ['search'],
  axisValues: [],
};

/** Norms of one seed, iteration 1, 2, …; undefined = not logged. */
function log(
  series: RunSeries,
  seed: number,
  norms: readonly (number | undefined)[],
  agent = 'search',
): RunSeries {
  return appendRows(
    series,
    norms.map((gradNorm, index) => ({
      arm: 'global',
      seed,
      agent,
      iteration: index + 1,
      values: gradNorm === undefined ? {} : { gradNorm },
    })),
  );
}

function lineOf(series: RunSeries, change: Partial<PanelRequest> = {}) {
  return panelModel(series, { ...request, ...change }).lines[0]!;
}

test('a line runs through the medians, its band from the smallest to the largest seed', () => {
  const series = log(log(createRunSeries(), 0, [1, 2]), 1, [3, 8]);
  const { linePoints, bandPoints } = lineOf(series);
  expect(linePoints.map(({ center }) => center)).toEqual([2, 5]);
  expect(bandPoints.map(({ range }) => range)).toEqual([
    [1, 3],
    [2, 8],
  ]);
});

test('one seed has no band', () => {
  expect(lineOf(log(createRunSeries(), 0, [1, 2]), { seeds: [0] }).bandPoints).toEqual([]);
});

test('a missing iteration breaks the line, and a point between two gaps becomes a dot', () => {
  const series = log(createRunSeries(), 0, [1, 1, 1, undefined, 1, undefined, 1, 1]);
  const { linePoints } = lineOf(series);
  // Points 1 2 3, gap, 5 alone, gap, 7 8
  expect(linePoints.map(({ center }) => center)).toEqual([1, 1, 1, null, 1, null, 1, 1]);
  expect(linePoints.filter(({ isAlone }) => isAlone).map(({ iteration }) => iteration)).toEqual([
    5,
  ]);
});

test('a first lone point is a dot', () => {
  expect(lineOf(log(createRunSeries(), 0, [1])).linePoints[0]?.isAlone).toBe(true);
});

test('values at or below 0 are gaps on a log axis and are counted, on a linear axis they are drawn', () => {
  const series = log(createRunSeries(), 0, [1, 0, -2, 4]);
  const logarithmic = panelModel(series, { ...request, seeds: [0] });
  expect(logarithmic.lines[0]?.linePoints.map(({ center }) => center)).toEqual([1, null, null, 4]);
  expect(logarithmic.numHidden).toBe(2);
  const linear = panelModel(series, { ...request, seeds: [0], scale: 'linear' });
  expect(linear.lines[0]?.linePoints.map(({ center }) => center)).toEqual([1, 0, -2, 4]);
  expect(linear.numHidden).toBe(0);
});

test('a band whose lower edge is 0 runs down to the foot of the log axis', () => {
  const model = panelModel(log(log(createRunSeries(), 0, [0]), 1, [4]), request);
  expect(model.lines[0]?.bandPoints[0]?.range).toEqual([model.axis.domain[0], 4]);
});

test('a spike of one seed and a value that is not finite are marked with seed and iteration', () => {
  const series = log(createRunSeries(), 0, [1, 1, 1, 1, 1, 9, NaN]);
  log(series, 1, [1, 1, 1, 1, 1, 1, 1]);
  expect(panelModel(series, request).markers).toEqual([
    { kind: 'spike', arm: 'global', seed: 0, iteration: 6, value: 9 },
    { kind: 'notFinite', arm: 'global', seed: 0, iteration: 7, value: NaN },
  ]);
  const unmarked = panelModel(series, { ...request, hasSpikeMarks: false });
  expect(unmarked.markers.map(({ kind }) => kind)).toEqual(['notFinite']);
});

test('the axis holds the values of all panels and the bounds', () => {
  const series = log(log(createRunSeries(), 0, [1]), 0, [700], 'answer');
  const { axis } = panelModel(series, {
    ...request,
    axisAgents: ['search', 'answer'],
    axisValues: [0.02],
  });
  expect(axis.domain).toEqual([0.02, 1000]);
});

test('a long line is drawn with at most 300 points and keeps its spike', () => {
  const norms = Array.from({ length: 5000 }, (_, index) => (index === 3210 ? 50 : 1));
  const { linePoints } = lineOf(log(createRunSeries(), 0, norms), { seeds: [0] });
  expect(linePoints.length).toBeLessThanOrEqual(300);
  expect(linePoints).toContainEqual({ iteration: 3211, center: 50, isAlone: false });
});

test('a panel draws eight lines and says how many it left out', () => {
  const arms = Array.from({ length: 5 }, (_, index) => `arm${index}`);
  const model = panelModel(createRunSeries(), {
    ...request,
    arms,
    metrics: ['advSecondMoment', 'advSecondMomentPredicted'],
  });
  expect([model.lines.length, model.numLinesLeftOut]).toEqual([maxLines, 2]);
});

test('an empty series has an axis and no iterations', () => {
  const { iterations, axis, lastIteration } = panelModel(createRunSeries(), request);
  expect([iterations, axis.domain, lastIteration]).toEqual([[], [0.1, 10], 0]);
});

test('of crowded markers the highest stays', () => {
  const markers = [3, 9, 5].map((value, index) => ({
    kind: 'spike' as const,
    arm: 'global',
    seed: index,
    iteration: 1000 + index,
    value,
  }));
  // A hundredth of 10,000 iterations is 100 wide: all three fall into one place.
  expect(thinnedMarkers(markers, 10_000).map(({ value }) => value)).toEqual([9]);
  expect(thinnedMarkers(markers, 100)).toHaveLength(3);
});
