import { expect, test } from 'vitest';
import { appendRows, createRunSeries, type RunSeries } from '../../metrics/runSeries';
import { logNormZScore } from '../../metrics/spikes';
import { sortedSpikes, spikeList } from './spikeList';

/** Norms of each agent by iteration, from 1 on. */
function seriesOf(norms: Readonly<Record<string, readonly number[]>>): RunSeries {
  const series = createRunSeries();
  const numIterations = Math.max(...Object.values(norms).map(({ length }) => length));
  for (let iteration = 1; iteration <= numIterations; iteration++)
    appendRows(
      series,
      Object.entries(norms).flatMap(([agent, line]) => {
        const gradNorm = line[iteration - 1];
        if (gradNorm === undefined) return [];
        return [{ iteration, arm: 'global', seed: 3, agent, values: { gradNorm } }];
      }),
    );
  return series;
}

const scope = { arms: ['global'], seeds: [3], agents: ['router', 'search', 'answer'] };

test('every spike is listed with its iteration, the median before it and its z-score, most severe first', () => {
  const calm = [1, 2, 4, 2, 1];
  const series = seriesOf({
    router: [...calm, 7],
    search: [...calm, 2, NaN],
    answer: [...calm, 100],
  });
  const spikes = spikeList(series, scope);
  expect(spikes.map(({ agent, iteration }) => [agent, iteration])).toEqual([
    ['search', 7],
    ['answer', 6],
    ['router', 6],
  ]);
  expect(spikes[2]).toEqual({
    arm: 'global',
    seed: 3,
    agent: 'router',
    iteration: 6,
    norm: 7,
    medianBefore: 2,
    zScore: logNormZScore([1, 1, 2, 2, 4], 7),
  });
});

test('before the z-score says anything there is no finite spike; equal ones without spread go by the factor', () => {
  const series = seriesOf({ router: [2, 2, 2, 2, 2, 7], answer: [1, 1, 1, 1, 1, 8] });
  const spikes = spikeList(series, scope);
  expect(spikes.map(({ agent, zScore }) => [agent, zScore])).toEqual([
    ['answer', Infinity],
    ['router', Infinity],
  ]);
});

test('other orders: by iteration, by agent, by norm with what is no number first', () => {
  const series = seriesOf({
    router: [1, 1, 1, 1, 1, 1, 90],
    answer: [1, 1, 1, 1, 1, 8, 1, NaN],
  });
  const spikes = spikeList(series, scope);
  const by = (order: Parameters<typeof sortedSpikes>[1]) =>
    sortedSpikes(spikes, order).map(({ iteration }) => iteration);
  expect(by('iteration')).toEqual([6, 7, 8]);
  expect(by('agent')).toEqual([6, 8, 7]);
  expect(by('norm')).toEqual([8, 7, 6]);
});

test('an arm or agent outside the scope is not listed, and nothing logged is no spike', () => {
  const series = seriesOf({ router: [NaN] });
  expect(spikeList(series, scope)).toHaveLength(1);
  expect(spikeList(series, { ...scope, agents: ['answer'] })).toEqual([]);
  expect(spikeList(createRunSeries(), scope)).toEqual([]);
});
