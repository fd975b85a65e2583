import { expect, test } from 'vitest';
import { cellKinds } from '../../notebook/cells';
import { deleteCell } from '../../notebook/editing';
import { edited, sampleNotebook } from '../../notebook/testing/sampleNotebook';
import { cellCommand } from './cellKeys';
import { metricsTitle } from '../charts/metricTexts';
import { cellLabel, cellTitle } from './cellText';
import { freeId } from './freeId';

const sample = sampleNotebook();

test('every kind of cell has a label that begins with its kind', () => {
  const labels = sample.cells.map(cellLabel);
  expect(labels[0]).toBe(
    'Text cell: Spikes: {{e1.global.spikes}}, success {{e1.agentWise.team.su…',
  );
  expect(labels[2]).toBe('Chart cell: Gradient norm');
  expect(labels[3]).toBe('Comparison cell: The arms at a glance');
  expect(labels[6]).toBe('Claim cell: Success of agentWise');
  expect(labels).toHaveLength(new Set(labels).size + 2);
});

function text(source: string): string {
  return cellTitle({ id: 'a', kind: 'text', source });
}

test('a text is called as its first line that says something, without marks', () => {
  expect(text('\n\n## *Why* norms\nmore')).toBe('Why norms');
  expect(text('A **claim** is `a` statement')).toBe('A claim is a statement');
  expect(text('')).toBe('empty');
  expect(text('# \n>  \nlast')).toBe('last');
});

test('charts of several metrics are called as what their labels have in common', () => {
  expect(metricsTitle(['advSecondMoment', 'advSecondMomentPredicted'])).toBe(
    'Advantage second moment',
  );
  expect(metricsTitle(['entropy', 'approxKl'])).toBe('Entropy and KL to the old policy');
  expect(metricsTitle(['advSecondMoment'])).toBe('Advantage second moment, measured');
});

test('new ids are short, free, and not those of deleted experiments that something still names', () => {
  for (const kind of cellKinds) expect(freeId(sample, kind)).toBe(`${kind}1`);
  const without = edited(deleteCell(sample, 'e1'));
  const renamed = { ...without, deletedExperiments: [{ id: 'experiment1', title: '' }] };
  expect(freeId(renamed, 'experiment')).toBe('experiment2');
});

test('keys speak of a cell only without Ctrl or ⌘, and arrows move it with Alt', () => {
  const press = { altKey: false, ctrlKey: false, metaKey: false };
  expect(cellCommand({ ...press, key: 'ArrowDown' })).toBe('next');
  expect(cellCommand({ ...press, key: 'ArrowDown', altKey: true })).toBe('moveDown');
  expect(cellCommand({ ...press, key: 'b' })).toBe('addBelow');
  expect(cellCommand({ ...press, key: 'b', altKey: true })).toBeNull();
  expect(cellCommand({ ...press, key: 'c', ctrlKey: true })).toBeNull();
  expect(cellCommand({ ...press, key: 'k', metaKey: true })).toBeNull();
  expect(cellCommand({ ...press, key: 'toString' })).toBeNull();
});
