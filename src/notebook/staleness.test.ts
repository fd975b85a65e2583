import { expect, test } from 'vitest';
import type { ExperimentSpec } from '../config/experimentSpec';
import { changeCell, deleteCell } from './editing';
import type { Notebook } from './notebook';
import { staleCells } from './staleness';
import { cellAs, edited, sampleNotebook } from './testing/sampleNotebook';

const sample = sampleNotebook();
const ran = new Map(['e1', 'e2'].map((id) => [id, cellAs(sample, id, 'experiment').spec] as const));

function withSpec(notebook: Notebook, id: string, changes: Partial<ExperimentSpec>): Notebook {
  const cell = cellAs(notebook, id, 'experiment');
  return edited(changeCell(notebook, { ...cell, spec: { ...cell.spec, ...changes } }));
}

test('nothing is stale when every run was made with the settings that stand there', () => {
  expect(staleCells(sample, ran).size).toBe(0);
  expect(staleCells(sample, structuredClone(ran)).size).toBe(0);
});

test('an experiment that has not run makes nothing stale', () => {
  expect(staleCells(withSpec(sample, 'e1', { iterations: 7 }), new Map()).size).toBe(0);
});

test('a changed setting makes the experiment stale, and all that shows, judges or cites it, for the same cause', () => {
  const { iterations, seeds } = cellAs(sample, 'e1', 'experiment').spec;
  const stale = staleCells(withSpec(sample, 'e1', { iterations: 7, seeds: [5] }), ran);
  expect([...stale.keys()]).toEqual(['intro', 'e1', 'chart', 'table', 'lens', 'turns', 'claim']);
  const cause = {
    experiment: 'e1',
    differences: [
      { path: 'iterations', from: iterations, to: 7 },
      { path: 'seeds', from: seeds, to: [5] },
    ],
  };
  for (const causes of stale.values()) expect(causes).toEqual([cause]);
});

test('setting the value back makes all fresh again', () => {
  const { iterations } = cellAs(sample, 'e1', 'experiment').spec;
  const there = withSpec(sample, 'e1', { iterations: 7 });
  expect(staleCells(withSpec(there, 'e1', { iterations }), ran).size).toBe(0);
});

test('another title is no other experiment', () => {
  expect(staleCells(withSpec(sample, 'e1', { title: 'Renamed' }), ran).size).toBe(0);
});

test('a text is stale for every experiment that it cites', () => {
  const source = '{{e2.global.spikes}} {{e1.global.spikes}} {{e2.global.seeds}} {{nobody.a.seeds}}';
  const cites = edited(changeCell(sample, { id: 'intro', kind: 'text', source }));
  const both = withSpec(withSpec(cites, 'e1', { iterations: 7 }), 'e2', { backend: 'cpu' });
  const causes = staleCells(both, ran).get('intro');
  expect(causes?.map(({ experiment }) => experiment)).toEqual(['e2', 'e1']);
  expect(causes?.[0]?.differences).toEqual([{ path: 'backend', from: 'auto', to: 'cpu' }]);
});

test('a chart of a deleted experiment is broken, not stale', () => {
  const changed = withSpec(sample, 'e2', { iterations: 7 });
  expect(staleCells(changed, ran).has('chart2')).toBe(true);
  expect(staleCells(edited(deleteCell(changed, 'e2')), ran).size).toBe(0);
});
