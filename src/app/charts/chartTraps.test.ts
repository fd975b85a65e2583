import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendRows, createRunSeries } from '../../metrics/runSeries';
import type { ChartView } from './chartView';
import { lineOf, log, logArm, modelOf } from './testing/panels';

/** What users of other trackers have complained of; issues are named in the notebook's design. */

test('a constant line is drawn as it is, smoothed or not', () => {
  const series = log(
    createRunSeries(),
    0,
    Array.from({ length: 400 }, () => 0.1),
  );
  for (const smoothing of [0, 0.6, 0.999]) {
    const { linePoints } = lineOf(series, { seeds: [0], view: { smoothing } });
    expect(new Set(linePoints.map(({ center }) => center))).toEqual(new Set([0.1]));
  }
});

test('what is smoothed does not depend on how much came after', () => {
  const norms = Array.from({ length: 3000 }, (_, index) => 2 + Math.sin(index));
  const view = { smoothing: 0.97 };
  const short = lineOf(log(createRunSeries(), 0, norms.slice(0, 200)), { seeds: [0], view });
  const long = lineOf(log(createRunSeries(), 0, norms), { seeds: [0], view });
  expect(long.band.center.subarray(0, 200)).toEqual(short.band.center);
});

test('a metric logged every fifth iteration is joined, and has no point in between', () => {
  const norms = Array.from({ length: 40 }, (_, index) => (index % 5 === 4 ? index : undefined));
  for (const smoothing of [0, 0.9]) {
    const { linePoints, rawPoints } = lineOf(log(createRunSeries(), 0, norms), {
      seeds: [0],
      view: { smoothing },
    });
    const places = [5, 10, 15, 20, 25, 30, 35, 40];
    expect(linePoints.map(({ x }) => x)).toEqual(places);
    expect(linePoints.every(({ center }) => center !== null)).toBe(true);
    expect(rawPoints.map(({ x }) => x)).toEqual(smoothing === 0 ? [] : places);
  }
});

test('equal runs group to themselves: the line is theirs to the last bit, the band has no width', () => {
  const runs = fc.array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), { minLength: 1 });
  const bands = fc.constantFrom<ChartView['band']>('minMax', 'std', 'stderr', 'bootstrap');
  fc.assert(
    fc.property(runs, bands, (norms, band) => {
      const seeds = [0, 1, 2];
      const series = seeds.reduce((all, seed) => log(all, seed, norms), createRunSeries());
      const line = lineOf(series, { seeds, view: { band } });
      expect([...line.band.center]).toEqual(norms);
      expect(line.bandPoints.map(({ range }) => range)).toEqual(norms.map((norm) => [norm, norm]));
    }),
  );
});

test('what one arm logs, or another arm that is not asked for, moves no other line', () => {
  const alone = logArm(createRunSeries(), 'global', 0, [1, 2, 3]);
  const beside = logArm(logArm(createRunSeries(), 'global', 0, [1, 2, 3]), 'other', 0, [9, NaN]);
  const change = { seeds: [0], view: { smoothing: 0.5 } };
  const { lines } = modelOf(beside, { ...change, arms: ['global', 'other'] });
  expect(lines[0]!.linePoints).toEqual(lineOf(alone, change).linePoints);
});

test('arms of different lengths end where they ended, and every point knows its N', () => {
  const series = logArm(createRunSeries(), 'long', 0, [1, 1, 1, 1]);
  logArm(series, 'long', 1, [3, 3]);
  logArm(series, 'short', 0, [5]);
  const { lines, xEnds } = modelOf(series, { arms: ['long', 'short'] });
  expect(lines[0]!.linePoints.map(({ center }) => center)).toEqual([2, 2, 1, 1]);
  expect([...lines[0]!.band.numSeeds]).toEqual([2, 2, 1, 1]);
  expect(lines[0]!.bandPoints.map(({ range }) => range)).toEqual([[1, 3], [1, 3], null, null]);
  expect(lines[1]!.linePoints).toEqual([{ x: 1, center: 5, isAlone: true }]);
  expect(xEnds).toEqual([1, 4]);
});

test('NaN and both infinities are marked, each with its seed, and leave the line to the other seeds', () => {
  const series = log(log(createRunSeries(), 0, [1, Infinity, -Infinity, NaN]), 1, [3, 3, 3, 3]);
  const { markers, lines } = modelOf(series);
  expect(markers.map(({ kind, iteration, value }) => [kind, iteration, value])).toEqual([
    ['notFinite', 2, Infinity],
    ['notFinite', 3, -Infinity],
    ['notFinite', 4, NaN],
  ]);
  expect(lines[0]!.linePoints.map(({ center }) => center)).toEqual([2, 3, 3, 3]);
  expect([...lines[0]!.band.numNotFinite]).toEqual([0, 1, 1, 1]);
});

test('a series without a finite value is all marks, an axis and no line', () => {
  const { lines, markers, axis } = modelOf(log(createRunSeries(), 0, [NaN, NaN]), { seeds: [0] });
  expect(lines[0]!.linePoints.map(({ center }) => center)).toEqual([null, null]);
  expect(markers).toHaveLength(2);
  expect(axis.domain).toEqual([0.1, 10]);
});

test('a run stopped after one iteration is a dot', () => {
  const { lines, xs } = modelOf(log(createRunSeries(), 0, [2]), { seeds: [0] });
  expect(lines[0]!.linePoints).toEqual([{ x: 1, center: 2, isAlone: true }]);
  expect(xs).toEqual([1]);
});

test('no spike is lost, however long the line: each is marked, and the highest is drawn', () => {
  const spikes = [100, 101, 2500, 19_999];
  const norms = Array.from({ length: 20_000 }, (_, i) => (spikes.includes(i + 1) ? 50 + i : 1));
  const series = log(createRunSeries(), 0, norms);
  const { markers, lines } = modelOf(series, { seeds: [0] });
  expect(markers.map(({ iteration }) => iteration)).toEqual(spikes);
  expect(lines[0]!.linePoints.map(({ center }) => center)).toContain(50 + 19_998);
  // What has come since is marked too, although nothing is looked at twice.
  appendSpike(series);
  const later = modelOf(series, { seeds: [0] }).markers.map(({ iteration }) => iteration);
  expect(later).toEqual([...spikes, 20_001]);
});

function appendSpike(series: ReturnType<typeof createRunSeries>): void {
  appendRows(series, [
    { arm: 'global', seed: 0, agent: 'search', iteration: 20_001, values: { gradNorm: 9 } },
  ]);
}
