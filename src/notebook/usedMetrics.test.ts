import { expect, test } from 'vitest';
import { chart, claim, comparison, experiment, quantity, text } from './gallery/cellParts';
import type { NotebookCell } from './cells';
import { recordedSpec } from './testing/sampleRecording';
import { usedMetrics } from './usedMetrics';

function used(...cells: readonly NotebookCell[]): readonly string[] {
  const notebook = { version: 1, title: '', cells, deletedExperiments: [] } as const;
  return [...usedMetrics(notebook, 'a')].toSorted();
}

const always = ['collapsed', 'evalSuccess', 'gradNorm', 'numTurns', 'success'];

test('how a run went is always read', () => {
  expect(used(experiment('a', recordedSpec))).toEqual(always);
});

test.each<[string, NotebookCell, readonly string[]]>([
  ['a chart', chart(['c', 'a'], ['entropy', 'approxKl']), ['approxKl', 'entropy']],
  ['an axis in tokens', chart(['c', 'a'], ['success'], { x: { kind: 'tokens' } }), ['tokenCount']],
  [
    'an axis of a metric',
    chart(['c', 'a'], ['success'], { x: { kind: 'metric', metric: 'entropy' } }),
    ['entropy'],
  ],
  ['a comparison', comparison(['c', 'a'], { metric: 'teamReward' }), ['teamReward']],
  [
    'a text',
    text('c', 'x {{a.global.solver.advAbsMax.peak}} `{{a.b.c.entropy.last}}`'),
    ['advAbsMax'],
  ],
  [
    'both sides of a claim',
    claim(['c', 'a'], quantity('g', 'solver', 'entropy', 'last'), 'less', {
      right: quantity('g', 'solver', 'meanGap', 'last'),
      inAtLeast: 1,
    }),
    ['entropy', 'meanGap'],
  ],
])('%s reads its metrics', (_what, cell, metrics) => {
  expect(used(cell)).toEqual([...always, ...metrics].toSorted());
});

test('what shows another experiment asks nothing of this one', () => {
  expect(
    used(chart(['c', 'b'], ['entropy']), text('t', '{{b.global.solver.entropy.last}}')),
  ).toEqual(always);
});
