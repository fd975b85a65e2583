import { expect, test } from 'vitest';
import { metricPeaks } from './metricPeaks';
import { appendRows, createRunSeries } from './runSeries';

test('every logged metric of a replica has its last value, its peak and its spikes; others are absent', () => {
  // Six calm norms of 1, then 4 (above 3 × the median 1: a spike), then a NaN (a spike by rule, outside last and peak).
  const norms = [1, 1, 1, 1, 1, 1, 4, NaN];
  const series = createRunSeries();
  for (const [index, gradNorm] of norms.entries())
    appendRows(series, [
      {
        iteration: index + 1,
        arm: 'a',
        seed: 3,
        agent: 'router',
        values: { gradNorm, entropy: 9 - index },
      },
    ]);
  const peaks = metricPeaks(series, { arms: ['a'], seeds: [3], agents: ['router'] });
  expect(peaks).toEqual([
    {
      arm: 'a',
      seed: 3,
      agents: {
        router: {
          gradNorm: {
            last: { value: 4, iteration: 7 },
            peak: { value: 4, iteration: 7 },
            numSpikes: 2,
            numNotFinite: 1,
          },
          entropy: {
            last: { value: 2, iteration: 8 },
            peak: { value: 9, iteration: 1 },
            numSpikes: 0,
            numNotFinite: 0,
          },
        },
        team: {},
      },
    },
  ]);
});
