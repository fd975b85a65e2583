import { expect, test } from 'vitest';
import { presets } from '../../config/presets';
import { changeCell } from '../../notebook/editing';
import { standardNotebook } from '../../notebook/standardNotebook';
import { cellAs, edited } from '../../notebook/testing/sampleNotebook';
import { canDrawOver, chartsOf, commonSettings, settingsOf, withSettings } from './chartSettings';

const notebook = standardNotebook(presets['route-search-answer'].spec);
const norms = cellAs(notebook, 'norms', 'chart');

test('what a chart is set to is what its cell holds, both ways', () => {
  const change = {
    scale: 'symlog',
    smoothing: 0.9,
    seedsShown: 'bootstrap',
    isClipped: true,
    baseline: 'global',
    xAxis: 'turns',
  } as const;
  const cell = withSettings(norms, change);
  expect(settingsOf(cell)).toEqual(change);
  expect(cell).toMatchObject({ x: { kind: 'environmentSteps' }, band: 'bootstrap', height: 150 });
  expect(withSettings(cell, settingsOf(norms))).toEqual(norms);
  expect(edited(changeCell(notebook, cell)).cells[1]).toEqual(cell);
});

test('an axis that the page cannot draw over stays in the cell when something else is changed', () => {
  const overTime = { ...norms, x: { kind: 'wallTime' } } as const;
  expect(canDrawOver(overTime)).toBe(false);
  expect(canDrawOver(norms)).toBe(true);
  expect(withSettings(overTime, { smoothing: 0.5 }).x).toEqual({ kind: 'wallTime' });
  expect(settingsOf(overTime).xAxis).toBe('iteration');
});

test('what all charts have in common is said; where they differ it is null', () => {
  const charts = chartsOf(notebook, 'main');
  expect(charts.map(({ id }) => id)).toEqual([
    'norms',
    'success',
    'moment',
    'entropy',
    'kl',
    'clip',
  ]);
  expect(commonSettings(charts)).toEqual({
    smoothing: 0,
    seedsShown: 'minMax',
    xAxis: 'iteration',
  });
  const mixed = charts.with(2, withSettings(charts[2]!, { smoothing: 0.3 }));
  expect(commonSettings(mixed)).toEqual({
    smoothing: null,
    seedsShown: 'minMax',
    xAxis: 'iteration',
  });
  expect(commonSettings([])).toEqual({ smoothing: null, seedsShown: null, xAxis: null });
  expect(chartsOf(notebook, 'other')).toEqual([]);
});
