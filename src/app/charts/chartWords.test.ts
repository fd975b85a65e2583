import { expect, test } from 'vitest';
import { counterUniform } from '../../metrics/counterUniform';
import { createRunSeries, type RunSeries } from '../../metrics/runSeries';
import { aggregateLines } from './aggregateLines';
import type { ChartView } from './chartView';
import { chartWords } from './chartWords';
import { markersOf } from './markers';
import { logArm, plainView, wanted } from './testing/panels';

const seeds = [0, 1];

function wordsOf(
  series: RunSeries,
  arms: readonly string[],
  change: Partial<ChartView> = {},
  changes: readonly string[] = [],
) {
  const view = { ...plainView, ...change };
  const request = { ...wanted, arms, seeds, agent: 'search', allAgents: ['search'], view };
  const lines = aggregateLines(series, request, counterUniform(0));
  const marked = { seeds, agent: 'search', zoom: null };
  return chartWords(
    {
      name: 'Gradient norm of search',
      lines,
      markers: lines.flatMap((line) => markersOf(series, marked, line)),
      pairedBaseline: view.pairedBaseline,
      changes,
    },
    'median',
  );
}

test('the end, the highest value of any seed with its iteration, and the spikes of each arm', () => {
  const series = createRunSeries();
  logArm(series, 'agentWise', 0, [1, 1, 1, 1, 1, 1.25, 0.8]);
  logArm(series, 'agentWise', 1, [1, 1, 1, 1, 1, 1, 1]);
  // Above 3 × the median of the five before.
  logArm(series, 'global', 0, [1, 1, 1, 1, 1, 38, 2]);
  logArm(series, 'global', 1, [1, 1, 1, 1, 1, NaN, 4]);
  expect(wordsOf(series, ['agentWise', 'global'])).toBe(
    'Gradient norm of search over 7 iterations, 2 seeds: at the end their median, at most the highest of any. ' +
      'agentWise: 0.900 at the end, at most 1.25 at iteration 6, no spikes. ' +
      'global: 3.00 at the end, at most 38.0 at iteration 6, 2 spikes, 1 value not finite.',
  );
});

test('one seed stopped after one iteration, and a run that has not begun', () => {
  const series = createRunSeries();
  expect(wordsOf(series, ['global'])).toBe('Gradient norm of search: nothing logged yet.');
  logArm(series, 'global', 0, [2]);
  expect(wordsOf(series, ['global'])).toBe(
    'Gradient norm of search over 1 iteration, 1 seed. global: 2.00 at the end, at most 2.00 at iteration 1, no spikes.',
  );
});

test('an arm that ended early, one that was never finite, one that logged nothing', () => {
  const series = createRunSeries();
  logArm(series, 'global', 0, [1, 2, 3, NaN]);
  logArm(series, 'short', 0, [5, 6]);
  logArm(series, 'lost', 0, [NaN, Infinity, NaN, NaN]);
  expect(wordsOf(series, ['global', 'short', 'lost', 'none'])).toBe(
    'Gradient norm of search over 4 iterations, 1 seed. ' +
      'global: 3.00 at iteration 3, at most 3.00 at iteration 3, no spikes, 1 value not finite. ' +
      'short: 6.00 at its end, iteration 2, at most 6.00 at iteration 2, no spikes. ' +
      'lost: no finite value, no spikes, 4 values not finite. ' +
      'none: nothing logged.',
  );
});

test('differences are said to be differences', () => {
  const series = createRunSeries();
  logArm(series, 'global', 0, [1, 2]);
  logArm(series, 'agentWise', 0, [4, 7]);
  const text = wordsOf(series, ['global', 'agentWise'], { pairedBaseline: 'global' });
  expect(text).toContain('Values are differences to global. agentWise: 5.00 at the end');
  expect(text).not.toContain('global:');
});

test('what was changed while the run went on is said at the end', () => {
  const series = createRunSeries();
  logArm(series, 'global', 0, [1, 2]);
  const text = wordsOf(series, ['global'], {}, [
    'Clip high 0.2 → 0.3 in all arms from iteration 2',
  ]);
  expect(text).toMatch(/no spikes\. Changed while running: Clip high .+ from iteration 2\.$/);
  expect(wordsOf(series, ['global'])).not.toContain('Changed while running');
});
