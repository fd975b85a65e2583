import { expect, test } from 'vitest';
import { plainCellSchema } from '../../notebook/cells';
import { foundMetrics, heightLimits, shownAgents, toggleAgent, toggleMetric } from './chartChoices';

test('metrics of one level are shown together, one of another level takes their place, the last one stays', () => {
  expect(toggleMetric(['gradNorm'], 'entropy')).toEqual(['gradNorm', 'entropy']);
  expect(toggleMetric(['gradNorm', 'entropy'], 'gradNorm')).toEqual(['entropy']);
  expect(toggleMetric(['gradNorm', 'entropy'], 'success')).toEqual(['success']);
  expect(toggleMetric(['success'], 'success')).toEqual(['success']);
});

test('agents keep the experiment’s order, all of them are `all`, the last one stays', () => {
  const all = ['router', 'search', 'answer'];
  expect(toggleAgent('all', all, 'search')).toEqual(['router', 'answer']);
  expect(toggleAgent(['router', 'answer'], all, 'search')).toBe('all');
  expect(toggleAgent(['answer'], all, 'answer')).toEqual(['answer']);
  expect(toggleAgent(['answer'], all, 'router')).toEqual(['router', 'answer']);
  expect(shownAgents(['answer', 'gone', 'router'], all)).toEqual(['router', 'answer']);
});

test('a metric is found by any words of its label, name or meaning', () => {
  expect(foundMetrics('gradient norm')).toContain('gradNorm');
  expect(foundMetrics('gradnorm')).toContain('gradNorm');
  expect(foundMetrics('norm gradient LARGEST')).toContain('gradNormMax');
  expect(foundMetrics('no such thing')).toEqual([]);
  expect(foundMetrics('').length).toBeGreaterThan(40);
});

/** Whether a document may hold a chart of this height. */
function isAllowed(height: number): boolean {
  const cell = {
    id: 'a',
    kind: 'chart',
    experiment: 'b',
    metrics: ['gradNorm'],
    agents: 'all',
    x: { kind: 'iteration' },
    yScale: 'log',
    smoothing: 0,
    band: 'minMax',
    hasOutlierClip: false,
    pairedBaseline: null,
    height,
    width: 'full',
  };
  return plainCellSchema.safeParse(cell).success;
}

test('heights on offer are those that a document may hold', () => {
  const { min, max } = heightLimits;
  expect([min - 1, min, max, max + 1].map(isAllowed)).toEqual([false, true, true, false]);
});
