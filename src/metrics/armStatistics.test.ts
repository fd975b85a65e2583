import { describe, expect, test } from 'vitest';
import { armEfficiency, armProfile, armStatistics, type StatisticsRequest } from './armStatistics';
import { counterUniform } from './counterUniform';
import { appendRows, createRunSeries, type RunSeries } from './runSeries';

/** The arms of a run as methods. */

const options = { level: 0.95, numResamples: 500, uniform: counterUniform(0) };
const request: StatisticsRequest = { metric: 'success', score: 'last', baseline: 'global' };

/** [seeds] lines of success from iteration 1 on. */
function log(series: RunSeries, arm: string, lines: readonly (readonly number[])[]): RunSeries {
  for (const [seed, line] of lines.entries())
    appendRows(
      series,
      line.map((success, index) => ({
        arm,
        seed,
        agent: 'team',
        iteration: index + 1,
        values: { success },
      })),
    );
  return series;
}

const scope = { arms: ['global', 'agentWise'], seeds: [0, 1, 2, 3], agents: ['router'] };
const series = log(createRunSeries(), 'global', [
  [0.1, 0.4],
  [0.9, 0.2],
  [0.3, 0.3],
  [0.5, 0.9],
]);
log(series, 'agentWise', [
  [0.2, 0.5],
  [0.4, 0.3],
  [0.2, 0.4],
  [0.6, 1],
]);

describe('the statistics of the arms', () => {
  test('are those of the score that was asked for', () => {
    const [last] = armStatistics(series, scope, request, options);
    // 0.2, 0.3, 0.4, 0.9: the middle half is 0.3 and 0.4.
    expect(last!.iqm!.estimate).toBeCloseTo(0.35, 12);
    expect(last!.mean!.estimate).toBeCloseTo(0.45, 12);
    expect(last!.median!.estimate).toBeCloseTo(0.35, 12);
    expect(last!.optimalityGap!.estimate).toBeCloseTo(0.55, 12);
    const [best] = armStatistics(series, scope, { ...request, score: 'best' }, options);
    expect(best!.mean!.estimate).toBeCloseTo((0.4 + 0.9 + 0.3 + 0.9) / 4, 12);
    const [mean] = armStatistics(series, scope, { ...request, score: 'mean' }, options);
    expect(mean!.mean!.estimate).toBeCloseTo((0.25 + 0.55 + 0.3 + 0.7) / 4, 12);
  });

  test('compare every other arm with the baseline, seed by seed', () => {
    const [baseline, other] = armStatistics(series, scope, request, options);
    expect([baseline!.improvement, baseline!.difference]).toEqual([null, null]);
    expect(other!.difference!.meanDifference).toBeCloseTo(0.1, 12);
    // The differences are all 0.1: whatever is drawn, the mean is.
    expect(other!.difference!.low).toBeCloseTo(0.1, 12);
    // 0.3, 0.4, 0.5, 1 against 0.2, 0.3, 0.4, 0.9: of 16 pairs 1 + 2 + 3 + 4 lie above, and 2 are ties.
    expect(other!.improvement!.estimate).toBeCloseTo((1 + 0.5 + 2 + 0.5 + 3 + 4) / 16, 12);
  });

  test('leave out seeds without a finite score and say how many; an arm without any has none', () => {
    const broken = log(createRunSeries(), 'global', [[0.5], [NaN], []]);
    const [some, none] = armStatistics(broken, scope, request, options);
    expect(some).toMatchObject({ numSeeds: 1, numLeftOut: 3 });
    expect(some!.iqm).toMatchObject({ estimate: 0.5, interval: null });
    expect(none).toMatchObject({ numSeeds: 0, numLeftOut: 4, iqm: null, improvement: null });
  });

  test('are the same twice', () => {
    const first = armStatistics(series, scope, request, options);
    expect(armStatistics(series, scope, request, options)).toEqual(first);
  });
});

test('a profile falls from all seeds to those that score highest', () => {
  const profile = armProfile(series, scope, { ...request, arm: 'global' }, options)!;
  const above = (tau: number) => profile.shares[Math.round(100 * tau)];
  expect([above(0), above(0.25), above(0.35), above(0.5), above(0.95)]).toEqual([
    1, 0.75, 0.5, 0.25, 0,
  ]);
  expect(armProfile(createRunSeries(), scope, { ...request, arm: 'global' }, options)).toBeNull();
});

test('a long efficiency curve has thirty points, the first and the last among them, each that of its own iteration', () => {
  const values = Array.from({ length: 1000 }, (_, index) => index / 1000);
  const long = log(createRunSeries(), 'global', [values, values]);
  const curve = armEfficiency(long, scope, { arm: 'global', metric: 'success' }, options);
  expect(curve.xs).toHaveLength(30);
  expect([curve.xs[0], curve.xs.at(-1)]).toEqual([1, 1000]);
  for (const [point, x] of curve.xs.entries())
    expect(curve.estimates[point]).toBeCloseTo((x - 1) / 1000, 12);
});

test('the efficiency curve is the interquartile mean at every iteration', () => {
  const { xs, estimates, numSeeds } = armEfficiency(
    series,
    scope,
    { arm: 'global', metric: 'success' },
    options,
  );
  expect([...xs]).toEqual([1, 2]);
  // 0.1, 0.3, 0.5, 0.9 and 0.2, 0.3, 0.4, 0.9
  expect(estimates[0]).toBeCloseTo(0.4, 12);
  expect(estimates[1]).toBeCloseTo(0.35, 12);
  expect([...numSeeds]).toEqual([4, 4]);
});
