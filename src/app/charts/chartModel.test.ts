import { expect, test } from 'vitest';
import { counterUniform } from '../../metrics/counterUniform';
import { smoothed } from '../../metrics/smoothing';
import { createRunSeries } from '../../metrics/runSeries';
import { aggregateLines } from './aggregateLines';
import { maxLines } from './chartModel';
import type { ChartView } from './chartView';
import { thinnedMarkers } from './markers';
import { lineOf, log, logArm, modelOf, plainView, wanted } from './testing/panels';

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
  expect(linePoints.filter(({ isAlone }) => isAlone).map(({ x }) => x)).toEqual([5]);
});

test('a first lone point is a dot', () => {
  expect(lineOf(log(createRunSeries(), 0, [1])).linePoints[0]?.isAlone).toBe(true);
});

test('values at or below 0 are gaps on a log axis and are counted, on a linear axis they are drawn', () => {
  const series = log(createRunSeries(), 0, [1, 0, -2, 4]);
  const logarithmic = modelOf(series, { seeds: [0] });
  expect(logarithmic.lines[0]?.linePoints.map(({ center }) => center)).toEqual([1, null, null, 4]);
  expect(logarithmic.numHidden).toBe(2);
  const linear = modelOf(series, { seeds: [0], view: { yScale: 'linear' } });
  expect(linear.lines[0]?.linePoints.map(({ center }) => center)).toEqual([1, 0, -2, 4]);
  expect(linear.numHidden).toBe(0);
});

test('a band whose lower edge is 0 runs down to the foot of the log axis', () => {
  const model = modelOf(log(log(createRunSeries(), 0, [0]), 1, [4]));
  expect(model.lines[0]?.bandPoints[0]?.range).toEqual([model.axis.domain[0], 4]);
});

test('a spike of one seed and a value that is not finite are marked with seed and iteration', () => {
  const series = log(createRunSeries(), 0, [1, 1, 1, 1, 1, 9, NaN]);
  log(series, 1, [1, 1, 1, 1, 1, 1, 1]);
  expect(modelOf(series).markers).toEqual([
    { kind: 'spike', metric: 'gradNorm', arm: 'global', seed: 0, iteration: 6, x: 6, value: 9 },
    {
      kind: 'notFinite',
      metric: 'gradNorm',
      arm: 'global',
      seed: 0,
      iteration: 7,
      x: 7,
      value: NaN,
    },
  ]);
});

test('the axis holds the values of all panels and the bounds', () => {
  const series = log(log(createRunSeries(), 0, [1]), 0, [700], 'answer');
  const { axis } = modelOf(series, {
    axisAgents: ['search', 'answer'],
    axisValues: [0.02],
  });
  expect(axis.domain).toEqual([0.02, 1000]);
});

test('a long line is drawn with at most 300 points and keeps its spike', () => {
  const norms = Array.from({ length: 5000 }, (_, index) => (index === 3210 ? 50 : 1));
  const { linePoints } = lineOf(log(createRunSeries(), 0, norms), { seeds: [0] });
  expect(linePoints.length).toBeLessThanOrEqual(300);
  expect(linePoints).toContainEqual({ x: 3211, center: 50, isAlone: false });
});

test('a panel draws eight lines and says how many it left out', () => {
  const arms = Array.from({ length: 5 }, (_, index) => `arm${index}`);
  const model = modelOf(createRunSeries(), {
    arms,
    metrics: ['advSecondMoment', 'advSecondMomentPredicted'],
  });
  expect([model.lines.length, model.numLinesLeftOut]).toEqual([maxLines, 2]);
});

test('an empty series has an axis and no iterations', () => {
  const { xs, axis, xEnds } = modelOf(createRunSeries());
  expect([xs, axis.domain, xEnds]).toEqual([[], [0.1, 10], null]);
});

test('of crowded markers the highest stays', () => {
  const markers = [3, 9, 5].map((value, index) => ({
    kind: 'spike' as const,
    metric: 'gradNorm' as const,
    arm: 'global',
    seed: index,
    iteration: 1000 + index,
    x: 1000 + index,
    value,
  }));
  // A hundredth of 10,000 iterations is 100 wide: all three fall into one place.
  expect(thinnedMarkers(markers, [0, 10_000]).map(({ value }) => value)).toEqual([9]);
  expect(thinnedMarkers(markers, [0, 100])).toHaveLength(3);
});

test('smoothing comes before thinning: every drawn point is that of the whole smoothed line, and the raw line stays', () => {
  const norms = Array.from({ length: 4000 }, (_, index) => 2 + Math.sin(index / 7));
  const { linePoints, rawPoints } = lineOf(log(createRunSeries(), 0, norms), {
    seeds: [0],
    view: { smoothing: 0.9 },
  });
  const whole = smoothed(norms, 0.9);
  for (const { x, center } of linePoints) expect(center).toBe(whole[x - 1]);
  for (const { x, center } of rawPoints) expect(center).toBe(norms[x - 1]);
  expect(rawPoints.length).toBeGreaterThan(100);
});

test('smoothing hides no spike: marks are those of the logged values', () => {
  const norms = Array.from({ length: 60 }, (_, index) => (index === 40 ? 30 : 1));
  const { markers } = modelOf(log(createRunSeries(), 0, norms), {
    seeds: [0],
    view: { smoothing: 0.95 },
  });
  expect(markers.map(({ iteration, value }) => [iteration, value])).toEqual([[41, 30]]);
});

test('a difference is paired by seed and iteration, and the baseline itself is not drawn', () => {
  const series = createRunSeries();
  for (const [seed, offset] of [0, 10].entries()) {
    logArm(series, 'global', seed, [1 + offset, 2 + offset, 3 + offset]);
    logArm(series, 'agentWise', seed, [2 + offset, 2 + offset]);
  }
  const { lines } = modelOf(series, {
    arms: ['global', 'agentWise'],
    view: { pairedBaseline: 'global', yScale: 'symlog' },
  });
  expect(lines.map(({ arm }) => arm)).toEqual(['agentWise']);
  // Seeds differ by ten, their differences do not; the third iteration of the baseline has no partner.
  expect(lines[0]!.linePoints.map(({ x, center }) => [x, center])).toEqual([
    [1, 1],
    [2, 0],
  ]);
  expect(lines[0]!.bandPoints.map(({ range }) => range)).toEqual([
    [1, 1],
    [0, 0],
  ]);
});

test('a band is what it is called', () => {
  const series = log(log(log(createRunSeries(), 0, [1]), 1, [2]), 2, [6]);
  const bandOf = (band: ChartView['band']) => {
    const line = lineOf(series, { seeds: [0, 1, 2], view: { band } });
    return { center: line.linePoints[0]!.center, range: line.bandPoints[0]?.range ?? null };
  };
  expect(bandOf('minMax')).toEqual({ center: 2, range: [1, 6] });
  // Mean 3; squares of 2, 1 and 3 over n − 1 = 2 make 7.
  const std = bandOf('std');
  expect(std.center).toBe(3);
  expect(std.range![0]).toBeCloseTo(3 - Math.sqrt(7), 12);
  const stderr = bandOf('stderr');
  expect(stderr.range![1]).toBeCloseTo(3 + Math.sqrt(7 / 3), 12);
  const [low, high] = bandOf('bootstrap').range!;
  expect(low).toBeGreaterThanOrEqual(1);
  expect(low).toBeLessThan(3);
  expect(high).toBeGreaterThan(3);
  expect(high).toBeLessThanOrEqual(6);
  expect(bandOf('seeds').range).toBeNull();
});

test('every seed is a line of its own where seeds are shown, and ends where it ended', () => {
  const series = log(log(createRunSeries(), 0, [1, 2, 3]), 1, [4, 5]);
  const { seedPoints } = lineOf(series, { view: { band: 'seeds' } });
  expect(seedPoints.map((points) => points.map(({ center }) => center))).toEqual([
    [1, 2, 3],
    [4, 5, null],
  ]);
});

test('lines are worked out once for each state of the series, and anew when it has grown', () => {
  const series = log(createRunSeries(), 0, [1, 2]);
  const request = {
    ...wanted,
    agent: 'search',
    allAgents: ['search'],
    view: plainView,
  };
  const ask = () => aggregateLines(series, request, counterUniform(0));
  const first = ask();
  expect(ask()).toBe(first);
  log(series, 1, [5, 6]);
  expect(ask()[0]!.band.numSeeds[0]).toBe(2);
  expect(ask()).not.toBe(first);
  const other = { ...request, view: { ...plainView, smoothing: 0.5 } };
  expect(aggregateLines(series, other, counterUniform(0))[0]!.raw).not.toBeNull();
});

test('a zoom draws what lies in it, at full resolution, with an axis of its own', () => {
  const norms = Array.from({ length: 5000 }, (_, index) => (index < 2500 ? 1000 : 1));
  const { lines, axis, xs } = modelOf(log(createRunSeries(), 0, norms), {
    seeds: [0],
    view: { zoom: [3000, 3099] },
  });
  expect(xs).toEqual(Array.from({ length: 100 }, (_, index) => 3000 + index));
  expect(lines[0]!.linePoints).toHaveLength(100);
  expect(axis.domain[1]).toBeLessThan(10);
  const beyond = modelOf(log(createRunSeries(), 0, [1, 2]), { seeds: [0], view: { zoom: [7, 9] } });
  expect(beyond.xs).toEqual([]);
});

test('a clipped axis holds the middle of the values and says how many are beyond', () => {
  const norms = Array.from({ length: 100 }, (_, index) =>
    index % 50 === 7 ? 5000 : 1 + index / 100,
  );
  const series = log(createRunSeries(), 0, norms);
  const clipped = modelOf(series, { seeds: [0], view: { hasOutlierClip: true, yScale: 'linear' } });
  expect(clipped.axis.domain[1]).toBeLessThan(10);
  expect(clipped.numOffScale).toBeGreaterThanOrEqual(2);
  const whole = modelOf(series, { seeds: [0], view: { yScale: 'linear' } });
  expect(whole.axis.domain[1]).toBeGreaterThanOrEqual(5000);
  expect(whole.numOffScale).toBe(0);
});
