import { expect, test } from 'vitest';
import { armStatistics } from './armStatistics';
import { comparedArms, comparisonEstimates } from './armComparison';
import { counterUniform } from './counterUniform';
import { appendRows, createRunSeries, type RunSeries } from './runSeries';

const options = { level: 0.95, numResamples: 200, uniform: counterUniform(0) };
const scope = { arms: ['global', 'agentWise'], seeds: [0, 1, 2, 3], agents: ['router', 'search'] };

/** The value of every seed, all at iteration 1. */
function log(
  series: RunSeries,
  { arm, agent, metric }: { arm: string; agent: string; metric: 'success' | 'gradNorm' },
  values: readonly number[],
): void {
  appendRows(
    series,
    values.map((value, seed) => ({ arm, seed, agent, iteration: 1, values: { [metric]: value } })),
  );
}

const series = createRunSeries();
log(series, { arm: 'global', agent: 'team', metric: 'success' }, [0.4, 0.2, 0.3, 0.9]);
log(series, { arm: 'agentWise', agent: 'team', metric: 'success' }, [0.9, 0.8, NaN, 0.1]);
log(series, { arm: 'global', agent: 'search', metric: 'gradNorm' }, [5, 6, 7, 8]);
log(series, { arm: 'agentWise', agent: 'search', metric: 'gradNorm' }, [1, 2, 3, 9]);

const team = { metric: 'success', agents: ['team'], baseline: 'global' } as const;

test('intervals and probability are those of the statistics of arms', () => {
  const request = { metric: 'success', score: 'last', baseline: 'global' } as const;
  const rows = armStatistics(series, scope, request, options);
  expect(comparisonEstimates(series, scope, team, options)).toEqual(
    rows.map(({ iqm, improvement }) => ({ iqm, improvement })),
  );
});

test('the interquartile mean of the summary is that of the estimate', () => {
  const estimates = comparisonEstimates(series, scope, team, options);
  for (const [index, { summary }] of comparedArms(series, scope, team).entries())
    expect(summary.iqm).toBe(estimates[index]?.iqm?.estimate);
});

test('a metric of agents has the arms of every agent, in order', () => {
  const request = { metric: 'gradNorm', agents: scope.agents, baseline: 'global' } as const;
  const rows = comparedArms(series, scope, request);
  expect(rows.map(({ agent, arm, numSeeds }) => [agent, arm, numSeeds])).toEqual([
    ['router', 'global', 0],
    ['router', 'agentWise', 0],
    ['search', 'global', 4],
    ['search', 'agentWise', 4],
  ]);
  // Pairs in which agentWise is above: only the 9, over all four: 4 of 16.
  const [, none, , above] = comparisonEstimates(series, scope, request, options);
  expect(none).toEqual({ iqm: null, improvement: null });
  expect(above?.improvement?.estimate).toBe(0.25);
});

test('a seed without a finite value is left out and counted', () => {
  const [, row] = comparedArms(series, scope, team);
  expect([row?.numSeeds, row?.numLeftOut]).toEqual([3, 1]);
});
