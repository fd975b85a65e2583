import { expect, test } from 'vitest';
import { comparedArms, comparisonEstimates } from '../../metrics/armComparison';
import { comparisonStatistics } from '../../notebook/statistics';
import { cellAs, sampleNotebook } from '../../notebook/testing/sampleNotebook';
import { sampleRun } from '../../notebook/testing/sampleRun';
import { tableIntervals } from '../statistics/statisticsText';
import { captionText, rowAgents, shownNumber } from './comparisonText';

const { series } = sampleRun();
const scope = { arms: ['global', 'agentWise'], seeds: [0, 1, 2], agents: ['router', 'search'] };
const request = { metric: 'success', agents: ['team'], baseline: 'global' } as const;
const rows = comparedArms(series, scope, request);
const estimates = comparisonEstimates(series, scope, request, tableIntervals);

test('a row has the numbers of the run, each with its iteration', () => {
  const texts = comparisonStatistics.map((statistic) => {
    const { text, iteration } = shownNumber(statistic, rows[1]!, estimates[1]!);
    return iteration === null ? text : `${text} @${iteration}`;
  });
  // Seeds end at 0.9, 0.1 and nowhere; their best are 0.9 @2 and 0.2 @1, of which the lower median iteration is 1.
  // Above 0.4, 0.2, 0.3: 0.9 thrice, 0.1 never: 3 of 6 pairs.
  expect(texts.slice(0, 4)).toEqual(['0.500 @2', '0.550 @1', '0.550 @1', '2']);
  expect(texts[4]).toMatch(/^0\.500 \[/);
  expect(texts[5]).toMatch(/^0\.500 \[/);
  expect(texts[6]).toBe('2');
});

test('the baseline is not compared with itself, and intervals may still be on their way', () => {
  expect(shownNumber('probabilityOfImprovement', rows[0]!, estimates[0]!).text).toBe('–');
  expect(shownNumber('iqm', rows[0]!, null).text).toBe('…');
});

test('a caption says how intervals were drawn, where there are any', () => {
  const cell = {
    ...cellAs(sampleNotebook(), 'table', 'comparison'),
    metric: 'success',
    baseline: 'global',
  } as const;
  expect(captionText(cell)).toBe(
    'Success, baseline global. Medians over seeds @ the iteration they stood in. Brackets are 95 % percentile intervals by stratified bootstrap, 1,000 resamples of the seeds (draws of seed 0).',
  );
  expect(captionText({ ...cell, statistics: ['last'] })).not.toContain('resamples');
  expect(captionText({ ...cell, metric: 'entropy' })).toContain('Entropy (nats per token), ');
});

test('a metric of the team has no agents, whatever the cell lists', () => {
  expect(rowAgents('success', ['router'], scope.agents)).toEqual(['team']);
  expect(rowAgents('gradNorm', 'all', scope.agents)).toEqual(['router', 'search']);
  expect(rowAgents('gradNorm', ['search'], scope.agents)).toEqual(['search']);
});
