import { expect, test } from 'vitest';
import { presets } from '../config/presets';
import { changeCell, deleteCell, moveCell } from './editing';
import { decodeNotebookLink, encodeNotebookLink, isNotebookLink } from './notebookLink';
import { parseNotebook } from './parseNotebook';
import { brokenCells } from './references';
import { standardNotebook, standardSpecOf } from './standardNotebook';
import { cellAs, edited, sampleNotebook } from './testing/sampleNotebook';

test.each(Object.entries(presets))(
  '%s opens as a valid notebook that nothing is missing in',
  (_, { spec }) => {
    const notebook = standardNotebook(spec);
    const parsed = parseNotebook(JSON.parse(JSON.stringify(notebook)));
    expect(parsed).toEqual({ ok: true, notebook });
    expect(brokenCells(notebook)).toEqual([]);
    expect(standardSpecOf(notebook)).toEqual(spec);
    expect(parsed.ok && standardSpecOf(parsed.notebook)).toEqual(spec);
  },
);

test('a notebook stays a standard one while only its experiment changes', () => {
  const { spec } = presets['solve-verify-null'];
  const notebook = standardNotebook(presets['route-search-answer'].spec);
  const changed = edited(changeCell(notebook, { ...cellAs(notebook, 'main', 'experiment'), spec }));
  expect(standardSpecOf(changed)).toEqual(spec);
  expect(standardSpecOf(edited(moveCell(notebook, 'norms', 3)))).toBeNull();
  expect(standardSpecOf(edited(deleteCell(notebook, 'clip')))).toBeNull();
  expect(standardSpecOf({ ...notebook, title: 'Mine' })).toBeNull();
  const norms = cellAs(notebook, 'norms', 'chart');
  expect(standardSpecOf(edited(changeCell(notebook, { ...norms, smoothing: 0.5 })))).toBeNull();
  expect(standardSpecOf(sampleNotebook())).toBeNull();
});

test('a link brings a whole notebook back', () => {
  const notebook = sampleNotebook();
  const link = encodeNotebookLink(notebook);
  if (!link.ok) throw new Error('no link');
  expect(isNotebookLink(link.fragment)).toBe(true);
  expect(decodeNotebookLink(link.fragment)).toEqual({ ok: true, notebook });
});

test('a link that is too long says to use a file; one of a later version says which it is', () => {
  const notebook = sampleNotebook();
  // Noise does not compress.
  let state = 1;
  const source = Array.from({ length: 40_000 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String.fromCharCode(33 + ((state >>> 16) % 90));
  }).join('');
  const long = edited(changeCell(notebook, { id: 'intro', kind: 'text', source }));
  const link = encodeNotebookLink(long);
  expect(link.ok || link.issues[0]?.message).toMatch(/share the notebook as a file/);
  const later = decodeNotebookLink('#n2.abc');
  expect(later.ok || later.issues[0]?.message).toMatch(
    /begins with #n2\. and this page reads #n1\./,
  );
  expect(isNotebookLink('#v1.abc')).toBe(false);
});
