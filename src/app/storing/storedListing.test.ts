import { expect, test } from 'vitest';
import { presets } from '../../config/presets';
import { standardNotebook } from '../../notebook/standardNotebook';
import type { NotebookSummary, RunSummary } from '../../storage/storageApi';
import { listed, offerOf, runsOf, shownRuns, strayRuns } from './storedListing';

const { spec } = presets['solve-verify-null'];

function run(runId: string, notebookId: string, savedAt: number): RunSummary {
  return {
    head: {
      runId,
      notebookId,
      experiment: 'main',
      spec,
      specHash: '',
      startedAt: 0,
      versions: { marlbook: '', browser: '' },
      userAgent: '',
    },
    standing: { phase: 'training', message: null, endedAt: null },
    lastSavedIteration: 3,
    savedAt,
    checkpoints: [],
  };
}

const a: NotebookSummary = { notebookId: 'a', title: 'A', savedAt: 1 };
const b: NotebookSummary = { notebookId: 'b', title: 'B', savedAt: 2 };
const documents = new Map([
  ['a', standardNotebook({ ...spec, title: 'A' })],
  ['b', standardNotebook({ ...spec, title: 'B' })],
]);
/** Of the older notebook: the newest of all. */
const late = run('late', 'a', 4);
const early = run('early', 'a', 3);
const other = run('other', 'b', 2);
const contents = { notebooks: [a, b], runs: [early, other, late] };
const nothing = {
  shown: standardNotebook(spec),
  documents,
  before: null,
  excluded: new Set<string>(),
};

function ids(runs: readonly RunSummary[]): string[] {
  return runs.map(({ head }) => head.runId);
}

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
  expect(offerOf(contents, { ...nothing, shown: documents.get('b')! })?.id).toBe('b');
  expect(offerOf(contents, { ...nothing, shown: documents.get('a')!, before: 'b' })?.id).toBe('b');
});

test('nothing is offered that is open elsewhere or was left, nor a document that is on the page already', () => {
  expect(offerOf(contents, { ...nothing, excluded: new Set(['a']) })?.id).toBe('b');
  expect(offerOf(contents, { ...nothing, excluded: new Set(['a', 'b']) })).toBeNull();
  const bare = { notebooks: [a], runs: [] };
  expect(offerOf(bare, { ...nothing, shown: documents.get('a')! })).toBeNull();
  expect(offerOf(bare, nothing)?.runs).toEqual([]);
});

test('a notebook opens with the newest run of each experiment, or with the chosen one', () => {
  const notebook = documents.get('a')!;
  const own = runsOf('a', contents.runs);
  expect(ids(shownRuns(notebook, own))).toEqual(['late']);
  expect(ids(shownRuns(notebook, own, 'early'))).toEqual(['early']);
  // Of an experiment that the notebook has lost.
  const stray = { ...late, head: { ...late.head, experiment: 'gone' } };
  expect(shownRuns(notebook, [stray])).toEqual([]);
});

test('a run whose notebook is gone is a stray one', () => {
  expect(strayRuns(contents)).toEqual([]);
  expect(strayRuns({ ...contents, notebooks: [b] })).toEqual([early, late]);
});
