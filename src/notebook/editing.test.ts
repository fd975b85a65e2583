import { expect, test } from 'vitest';
import { cellKinds } from './cells';
import {
  addCell,
  changeCell,
  changeTitle,
  deleteCell,
  duplicateCell,
  moveCell,
  type Edited,
} from './editing';
import { emptyNotebook, type Notebook } from './notebook';
import { parseNotebook } from './parseNotebook';
import { brokenCells } from './references';
import { cellAs, edited, sampleNotebook } from './testing/sampleNotebook';

const sample = sampleNotebook();
const idsOf = (notebook: Notebook): string[] => notebook.cells.map(({ id }) => id);
const messagesOf = (result: Edited): string[] =>
  result.ok ? [] : result.issues.map(({ path, message }) => `${path}: ${message}`);

test.each(cellKinds)('a new %s cell stands where it was put and is valid', (kind) => {
  const notebook = edited(addCell(sample, { id: 'fresh', kind, at: 2 }));
  expect(idsOf(notebook).slice(0, 4)).toEqual(['intro', 'e1', 'fresh', 'chart']);
  expect(parseNotebook(notebook)).toEqual({ ok: true, notebook });
  expect(brokenCells(notebook)).toEqual([]);
});

function shownAt(at: number): string {
  const notebook = edited(addCell(sample, { id: 'fresh', kind: 'chart', at }));
  return cellAs(notebook, 'fresh', 'chart').experiment;
}

test('a new chart shows the nearest experiment above it, or the first below', () => {
  // e1 is cell 1, e2 is cell 7.
  expect([0, 1, 2, 7, 8, 9].map(shownAt)).toEqual(['e1', 'e1', 'e1', 'e1', 'e2', 'e2']);
});

test('what shows runs is refused in a notebook without an experiment', () => {
  const place = { id: 'c', kind: 'chart', at: 0 } as const;
  expect(messagesOf(addCell(emptyNotebook(''), place))).toEqual([
    'cells: A chart cell shows an experiment, and there is none: add one first.',
  ]);
});

test('a new claim about an experiment with one arm compares it with a number', () => {
  const e1 = cellAs(sample, 'e1', 'experiment');
  const spec = { ...e1.spec, arms: e1.spec.arms.slice(0, 1) };
  const notebook = edited(changeCell(sample, { ...e1, spec }));
  const claim = edited(addCell(notebook, { id: 'fresh', kind: 'claim', at: 2 }));
  expect(cellAs(claim, 'fresh', 'claim').statement.right).toEqual({ kind: 'constant', value: 0.5 });
});

test.each([
  [{ id: 'intro', kind: 'text', at: 0 }, /came twice/],
  [{ id: 'a-b', kind: 'text', at: 0 }, /letters and digits/],
  [{ id: '__proto__', kind: 'text', at: 0 }, /letters and digits/],
  [{ id: 'constructor', kind: 'text', at: 0 }, /JavaScript keeps for itself/],
  [{ id: 'a', kind: 'text', at: -1 }, /expected a place from 0 to 9/],
  [{ id: 'a', kind: 'text', at: 10 }, /expected a place from 0 to 9/],
  [{ id: 'a', kind: 'text', at: 0.5 }, /expected a place from 0 to 9/],
] as const)('adding %j is refused', (place, message) => {
  expect(messagesOf(addCell(sample, place)).join(' ')).toMatch(message);
});

test('the 201st cell is refused', () => {
  const full = Array.from({ length: 200 }).reduce<Notebook>(
    (notebook, _, at) => edited(addCell(notebook, { id: `t${at}`, kind: 'text', at })),
    emptyNotebook(''),
  );
  expect(messagesOf(addCell(full, { id: 'a', kind: 'text', at: 0 }))).toEqual([
    'cells: A notebook holds at most 200 cells: delete one first.',
  ]);
  expect(duplicateCell(full, 't0', 'a').ok).toBe(false);
});

test('a move gives the cell that place among the others, and shares them all', () => {
  const moved = edited(moveCell(sample, 'intro', 2));
  expect(idsOf(moved).slice(0, 4)).toEqual(['e1', 'chart', 'intro', 'table']);
  expect(moved.cells[2]).toBe(sample.cells[0]);
  expect(edited(moveCell(moved, 'intro', 0))).toEqual(sample);
  expect(edited(moveCell(sample, 'intro', 0))).toBe(sample);
  expect(moveCell(sample, 'intro', 9).ok).toBe(false);
  expect(moveCell(sample, 'nobody', 0).ok).toBe(false);
});

test('a copy stands below its original and equals it but for its id', () => {
  const copied = edited(duplicateCell(sample, 'e1', 'e3'));
  expect(idsOf(copied).slice(0, 4)).toEqual(['intro', 'e1', 'e3', 'chart']);
  expect(copied.cells[2]).toEqual({ ...sample.cells[1], id: 'e3' });
  expect(cellAs(copied, 'chart', 'chart').experiment).toBe('e1');
  expect(duplicateCell(sample, 'e1', 'e2').ok).toBe(false);
});

test('an edit leaves the notebook that came as it was', () => {
  const before = structuredClone(sample);
  deleteCell(sample, 'e1');
  duplicateCell(sample, 'e1', 'e3');
  moveCell(sample, 'e1', 0);
  changeTitle(sample, 'Other');
  expect(sample).toEqual(before);
});

test('deleting an experiment names the cells that point to it, and they lose nothing', () => {
  const deleted = deleteCell(sample, 'e1');
  const pointing = ['intro', 'chart', 'table', 'lens', 'turns', 'claim'];
  expect(deleted.pointing).toEqual(pointing);
  const notebook = edited(deleted);
  expect(notebook.cells).toEqual(sample.cells.filter(({ id }) => id !== 'e1'));
  expect(notebook.deletedExperiments).toEqual([
    { id: 'e1', title: cellAs(sample, 'e1', 'experiment').spec.title },
  ]);
  expect(brokenCells(notebook).map(({ cell }) => cell)).toEqual(pointing.slice(1));
  expect(parseNotebook(JSON.parse(JSON.stringify(notebook)))).toEqual({ ok: true, notebook });
});

test('the id of a deleted experiment stays taken while something points to it', () => {
  const notebook = edited(deleteCell(sample, 'e2'));
  expect(addCell(notebook, { id: 'e2', kind: 'experiment', at: 0 }).ok).toBe(false);
  const chart = cellAs(notebook, 'chart2', 'chart');
  const pointedElsewhere = edited(changeCell(notebook, { ...chart, experiment: 'e1' }));
  expect(pointedElsewhere.deletedExperiments).toEqual([]);
  expect(addCell(pointedElsewhere, { id: 'e2', kind: 'experiment', at: 0 }).ok).toBe(true);
  expect(edited(deleteCell(notebook, 'chart2')).deletedExperiments).toEqual([]);
});

test('a deleted experiment that nothing points to is not remembered', () => {
  const lonely = edited(addCell(sample, { id: 'e3', kind: 'experiment', at: 0 }));
  const deleted = deleteCell(lonely, 'e3');
  expect(deleted).toEqual({ ok: true, notebook: sample, pointing: [] });
  expect(deleteCell(sample, 'chart').pointing).toEqual([]);
});

test('a changed cell is parsed like one from a file', () => {
  const chart = cellAs(sample, 'chart', 'chart');
  const changed = edited(changeCell(sample, { ...chart, height: 400 }));
  expect(changed.cells[2]).toEqual({ ...chart, height: 400 });
  expect(messagesOf(changeCell(sample, { ...chart, height: 4000 }))).toEqual([
    'cells.2.height: 4000 came, expected 1200 or less.',
  ]);
  expect(messagesOf(changeCell(sample, { ...chart, experiment: 'intro' })).join(' ')).toMatch(
    /that is a text cell/,
  );
  expect(messagesOf(changeCell(sample, { id: 'chart', kind: 'text', source: '' }))).toEqual([
    'cells.2.kind: "text" came, but this is a chart cell: add a cell of the other kind beside it.',
  ]);
  expect(edited(changeCell(sample, chart))).toBe(sample);
});

test('an experiment may lose an arm that a cell names: the cell is broken, not refused', () => {
  const e1 = cellAs(sample, 'e1', 'experiment');
  const spec = { ...e1.spec, arms: e1.spec.arms.slice(1), seeds: [1] };
  const table = cellAs(sample, 'table', 'comparison');
  const named = edited(changeCell(sample, { ...table, baseline: 'global' }));
  const notebook = edited(changeCell(named, { ...e1, spec }));
  expect(brokenCells(notebook)).toEqual([
    {
      cell: 'table',
      broken: { place: 'arm', name: 'global', known: ['globalStep', 'agentWise'] },
    },
    { cell: 'lens', broken: { place: 'arm', name: 'global', known: ['globalStep', 'agentWise'] } },
    { cell: 'claim', broken: { place: 'arm', name: 'global', known: ['globalStep', 'agentWise'] } },
  ]);
});

test('agents of every world that an arm runs in are known', () => {
  const e1 = cellAs(sample, 'e1', 'experiment');
  const chart = cellAs(sample, 'chart', 'chart');
  const arms = [
    ...e1.spec.arms,
    { name: 'pair', overrides: { 'environment.kind': 'solveVerify' } },
  ];
  const named = edited(changeCell(sample, { ...chart, agents: ['solver'] }));
  expect(brokenCells(named)[0]?.broken).toEqual({
    place: 'agent',
    name: 'solver',
    known: ['router', 'search', 'answer', 'team'],
  });
  const result = changeCell(named, { ...e1, spec: { ...e1.spec, arms } });
  expect(messagesOf(result)).toEqual([]);
  expect(brokenCells(edited(result))).toEqual([]);
});

test('a title is refused where it is too long for a heading', () => {
  expect(edited(changeTitle(sample, 'Other'))).toEqual({ ...sample, title: 'Other' });
  expect(messagesOf(changeTitle(sample, 'x'.repeat(121))).join(' ')).toMatch(/120 or fewer/);
});
