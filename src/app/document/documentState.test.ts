import { expect, test } from 'vitest';
import { addCell, changeCell, deleteCell, moveCell } from '../../notebook/editing';
import { emptyNotebook } from '../../notebook/notebook';
import { cellAs, edited, sampleNotebook } from '../../notebook/testing/sampleNotebook';
import { applyDocumentEvent, documentStateOf, type DocumentState } from './documentState';

const sample = sampleNotebook();
const opened = documentStateOf(sample);

function after(
  state: DocumentState,
  ...events: Parameters<typeof applyDocumentEvent>[1][]
): DocumentState {
  return events.reduce(applyDocumentEvent, state);
}

test('a notebook opens with its first experiment in the form and nothing selected', () => {
  expect(opened).toMatchObject({ selected: null, editing: null, experiment: 'e1', issues: null });
  expect(documentStateOf(emptyNotebook('')).experiment).toBeNull();
});

test('form and run strip go with the selection, and stay where a text is selected', () => {
  const atChart2 = after(opened, { kind: 'selected', cell: 'chart2' });
  expect(atChart2).toMatchObject({ selected: 'chart2', experiment: 'e2' });
  expect(after(atChart2, { kind: 'selected', cell: 'intro' }).experiment).toBe('e2');
  expect(after(atChart2, { kind: 'selected', cell: 'e1' }).experiment).toBe('e1');
  expect(after(atChart2, { kind: 'selected', cell: 'nowhere' })).toMatchObject({
    selected: null,
    experiment: 'e2',
  });
});

test('a cell of a deleted experiment leaves the form at the experiment it had', () => {
  const without = deleteCell(sample, 'e2');
  const state = after(
    opened,
    { kind: 'edited', edited: without },
    { kind: 'selected', cell: 'chart2' },
  );
  expect(state).toMatchObject({ selected: 'chart2', experiment: 'e1' });
});

test('deleting the experiment in the form turns to the first one left; undo brings the cell back', () => {
  const atE1 = after(opened, { kind: 'selected', cell: 'e1' });
  const deleted = after(atE1, { kind: 'edited', edited: deleteCell(sample, 'e1') });
  expect(deleted).toMatchObject({ selected: null, experiment: 'e2' });
  const back = after(deleted, { kind: 'undone' });
  expect(back.history.present).toBe(sample);
  expect(after(back, { kind: 'redone' }).history.present).toBe(deleted.history.present);
});

test('a refused edit changes nothing and says why, until the next edit or until it is closed', () => {
  const refused = after(opened, { kind: 'edited', edited: moveCell(sample, 'chart', 99) });
  expect(refused.history).toBe(opened.history);
  expect(refused.issues?.[0]?.path).toBe('cells');
  expect(after(refused, { kind: 'issuesClosed' }).issues).toBeNull();
  const moved = after(refused, { kind: 'edited', edited: moveCell(sample, 'chart', 0) });
  expect(moved.issues).toBeNull();
});

test('typing into one field is one step back, and leaving the cell ends the step', () => {
  const intro = cellAs(sample, 'intro', 'text');
  const field = { cell: 'intro', field: 'source' };
  const typed = (state: DocumentState, source: string): DocumentState =>
    after(state, {
      kind: 'edited',
      edited: changeCell(state.history.present, { ...intro, source }),
      field,
    });
  const editing = after(opened, { kind: 'editingBegun', cell: 'intro' });
  expect(editing).toMatchObject({ selected: 'intro', editing: 'intro' });
  const twice = typed(typed(editing, 'a'), 'ab');
  expect(twice.history.past).toHaveLength(1);
  const again = typed(after(twice, { kind: 'editingEnded' }), 'abc');
  expect(again.history.past).toHaveLength(2);
  expect(after(again, { kind: 'undone' }, { kind: 'undone' }).history.present).toBe(sample);
});

test('selecting another cell ends editing; a cell that undo takes away is no longer edited', () => {
  const editing = after(opened, { kind: 'editingBegun', cell: 'intro' });
  expect(after(editing, { kind: 'selected', cell: 'chart' }).editing).toBeNull();
  const added = after(
    opened,
    { kind: 'edited', edited: addCell(sample, { id: 'text1', kind: 'text', at: 0 }) },
    { kind: 'editingBegun', cell: 'text1' },
  );
  expect(added.editing).toBe('text1');
  expect(after(added, { kind: 'undone' })).toMatchObject({ selected: null, editing: null });
  expect(edited(addCell(sample, { id: 'text1', kind: 'text', at: 0 })).cells[0]?.id).toBe('text1');
});
