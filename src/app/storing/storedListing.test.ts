import { expect, test } from 'vitest';
import { presets } from '../../config/presets';
import { standardNotebook } from '../../notebook/standardNotebook';
import type { NotebookRecord, RunRecord } from './records';
import { listed, offerOf, shownRuns } from './storedListing';

const { spec } = presets['solve-verify-null'];

function notebook(id: string, title: string, savedAt: string): NotebookRecord {
  return { id, notebook: standardNotebook({ ...spec, title }), savedAt };
}

function run(id: string, notebookId: string, date: string): RunRecord {
  return {
    id,
    notebookId,
    experiment: 'main',
    spec,
    ended: 'completed',
    message: null,
    notices: [],
    iteration: 3,
    wallMs: 1,
    bytes: 1,
    date,
    versions: { marlbook: '', browser: '' },
    device: { userAgent: '', policies: [] },
  };
}

const a = notebook('a', 'A', '2026-01-01T00:00:00.000Z');
const b = notebook('b', 'B', '2026-01-02T00:00:00.000Z');
/** Of the older notebook: the newest of all. */
const late = run('late', 'a', '2026-01-04T00:00:00.000Z');
const early = run('early', 'a', '2026-01-03T00:00:00.000Z');
const other = run('other', 'b', '2026-01-02T00:00:00.000Z');
const contents = { notebooks: [a, b], runs: [early, other, late] };
const nothing = { shown: standardNotebook(spec), before: null, excluded: new Set<string>() };

test('the last written comes first, by its runs where they are newer than it', () => {
  const shown = listed(contents, (id) => (id === 'b' ? 'elsewhere' : 'nowhere'));
  expect(shown.map(({ id, openIn }) => [id, openIn])).toEqual([
    ['a', 'nowhere'],
    ['b', 'elsewhere'],
  ]);
  expect(shown[0]?.runs.map(({ id }) => id)).toEqual(['late', 'early']);
});

test('offered is what the tab had, else what is like the page, else the last one', () => {
  expect(offerOf(contents, nothing)?.id).toBe('a');
  expect(offerOf(contents, { ...nothing, shown: b.notebook })?.id).toBe('b');
  expect(offerOf(contents, { ...nothing, shown: a.notebook, before: 'b' })?.id).toBe('b');
});

test('nothing is offered that is open elsewhere or was left, nor a document that is on the page already', () => {
  expect(offerOf(contents, { ...nothing, excluded: new Set(['a']) })?.id).toBe('b');
  expect(offerOf(contents, { ...nothing, excluded: new Set(['a', 'b']) })).toBeNull();
  const bare = { notebooks: [a], runs: [] };
  expect(offerOf(bare, { ...nothing, shown: a.notebook })).toBeNull();
  expect(offerOf(bare, nothing)?.runs).toEqual([]);
});

test('a notebook opens with the newest run of each experiment, or with the chosen one', () => {
  expect(shownRuns(a, contents.runs).map(({ id }) => id)).toEqual(['late']);
  expect(shownRuns(a, contents.runs, 'early').map(({ id }) => id)).toEqual(['early']);
  // Of an experiment that the notebook has lost.
  const stray = { ...late, experiment: 'gone' };
  expect(shownRuns(a, [stray])).toEqual([]);
});
