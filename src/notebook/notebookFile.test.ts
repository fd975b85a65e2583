import { expect, test } from 'vitest';
import type { ExperimentSpec } from '../config/experimentSpec';
import { encodeNotebookFile, parseNotebookFile, type NotebookFile } from './notebookFile';
import { staleCells } from './staleness';
import { recordedSpec, sampleRecording } from './testing/sampleRecording';
import type { Notebook } from './notebook';

const notebook: Notebook = {
  version: 1,
  title: 'With a run',
  cells: [
    { id: 'once', kind: 'experiment', spec: recordedSpec },
    { id: 'said', kind: 'text', source: '{{once.global.seeds}}' },
  ],
  deletedExperiments: [],
};

const file: NotebookFile = { notebook, recordings: new Map([['once', sampleRecording()]]) };

function asData(changes: object = {}): Record<string, unknown> {
  const data: Record<string, unknown> = JSON.parse(JSON.stringify(encodeNotebookFile(file)));
  return { ...data, ...changes };
}

function pathsOf(data: unknown): readonly string[] {
  const parsed = parseNotebookFile(data);
  return parsed.ok ? [] : parsed.issues.map(({ path }) => path);
}

function openedFrom(data: unknown): NotebookFile {
  const parsed = parseNotebookFile(data);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed;
}

function staleIn({ notebook: opened, recordings }: NotebookFile): readonly string[] {
  const specs = new Map([...recordings].map(([id, { spec }]) => [id, spec]));
  return [...staleCells(opened, specs).keys()];
}

test('a notebook comes back with its recordings', () => {
  const opened = openedFrom(asData());
  expect(opened.notebook).toEqual(notebook);
  expect(opened.recordings).toEqual(file.recordings);
  expect(staleIn(opened)).toEqual([]);
});

test('a bare notebook opens without recordings', () => {
  const opened = openedFrom(JSON.parse(JSON.stringify(notebook)));
  expect(opened.notebook).toEqual(notebook);
  expect(opened.recordings.size).toBe(0);
});

/** The notebook with a run of another specification, from its file. */
function ranWith(spec: ExperimentSpec): NotebookFile {
  const recordings = new Map([['once', sampleRecording({ spec })]]);
  return openedFrom(JSON.parse(JSON.stringify(encodeNotebookFile({ notebook, recordings }))));
}

test('a recording of other settings opens and makes its cells stale; another title alone does not', () => {
  expect(staleIn(ranWith({ ...recordedSpec, title: 'Another' }))).toEqual([]);
  expect(staleIn(ranWith({ ...recordedSpec, iterations: 5 }))).toEqual(['once', 'said']);
});

test('a recording of no experiment cell is refused, with the nearest one', () => {
  const { recordings } = encodeNotebookFile(file);
  const parsed = parseNotebookFile(asData({ recordings: { onse: recordings['once'] } }));
  expect(parsed).toMatchObject({ ok: false, issues: [{ path: 'recordings.onse' }] });
  expect(JSON.stringify(parsed)).toContain('the nearest is once');
  expect(pathsOf(asData({ recordings: { said: recordings['once'] } }))).toEqual([
    'recordings.said',
  ]);
});

test('what is wrong inside is named with its whole path', () => {
  const { recordings } = encodeNotebookFile(file);
  expect(
    pathsOf(asData({ recordings: { once: { ...recordings['once'], wallMs: 'long' } } })),
  ).toEqual(['recordings.once.wallMs']);
  expect(pathsOf(asData({ notebook: { ...notebook, title: 7 } }))).toEqual(['notebook.title']);
  expect(pathsOf(asData({ recordings: [] }))).toEqual(['recordings']);
  expect(pathsOf(asData({ results: {} }))).toEqual(['results']);
});

test.each([null, 7, 'text', [], {}, { notebook: null }, { notebook: {}, recordings: null }])(
  '%j is no notebook file',
  (data) => {
    expect(pathsOf(data).length).toBeGreaterThan(0);
  },
);

test('own keys of prototypes are refused in every place and change no object', () => {
  const text = JSON.stringify(encodeNotebookFile(file));
  const places = [
    text.replace('{', '{"__proto__":{"polluted":1},'),
    text.replace('"recordings":{', '"recordings":{"__proto__":{"polluted":1},'),
    text.replace('"once":{', '"once":{"__proto__":{"polluted":1},'),
    text.replace('"notebook":{', '"notebook":{"__proto__":{"polluted":1},'),
  ];
  for (const place of places) expect(pathsOf(JSON.parse(place)).join()).toContain('__proto__');
  expect('polluted' in {}).toBe(false);
});
