import { expect, test } from 'vitest';
import { closeStep, createHistory, recordEdit, redo, undo } from './history';
import { emptyNotebook, type Notebook } from './notebook';

const titled = (title: string): Notebook => emptyNotebook(title);
const [a, b, c, d] = [titled('a'), titled('b'), titled('c'), titled('d')];
const field = { cell: 'intro', field: 'source' };

test('undo goes back edit by edit, redo forth again', () => {
  const edited = recordEdit(recordEdit(createHistory(a), b), c);
  const once = undo(edited);
  const twice = undo(once);
  expect([once.present, twice.present, undo(twice).present]).toEqual([b, a, a]);
  expect([redo(twice).present, redo(redo(twice)).present]).toEqual([b, c]);
  expect(redo(redo(redo(twice)))).toEqual(edited);
});

test('undo and redo with nowhere to go change nothing', () => {
  const history = createHistory(a);
  expect(undo(history)).toBe(history);
  expect(redo(history)).toBe(history);
});

test('an edit after undo gives up what was undone', () => {
  const history = recordEdit(undo(recordEdit(createHistory(a), b)), c);
  expect(redo(history)).toBe(history);
  expect(undo(history).present).toBe(a);
});

test('consecutive edits of one field are one step', () => {
  const typed = [b, c, d].reduce(
    (history, now) => recordEdit(history, now, field),
    createHistory(a),
  );
  expect(typed.present).toBe(d);
  expect(undo(typed).present).toBe(a);
  expect(redo(undo(typed)).present).toBe(d);
});

test.each([{ cell: 'intro', field: 'title' }, { cell: 'other', field: 'source' }, null])(
  'an edit of %j is a step of its own',
  (other) => {
    const history = recordEdit(recordEdit(createHistory(a), b, field), c, other);
    expect(undo(history).present).toBe(b);
    expect(undo(recordEdit(history, d, field)).present).toBe(c);
  },
);

test('two edits without a field are two steps', () => {
  expect(undo(recordEdit(recordEdit(createHistory(a), b), c)).present).toBe(b);
});

test('a step that was closed is not continued, nor is one that was undone to', () => {
  const typed = recordEdit(createHistory(a), b, field);
  expect(undo(recordEdit(closeStep(typed), c, field)).present).toBe(b);
  const back = undo(recordEdit(closeStep(typed), c, field));
  expect(undo(recordEdit(back, d, field)).present).toBe(b);
});

test('an edit that changed nothing is no step', () => {
  const history = recordEdit(createHistory(a), b);
  expect(recordEdit(history, b, field)).toBe(history);
});

test('the oldest steps are forgotten after two hundred', () => {
  const documents = Array.from({ length: 301 }, (_, i) => titled(String(i)));
  const [first = a, ...rest] = documents;
  const history = rest.reduce((current, now) => recordEdit(current, now), createHistory(first));
  const oldest = rest.reduce((current) => undo(current), history);
  expect(oldest.present.title).toBe('100');
});
