import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claimEvidence } from '../claimEvidence';
import { claimVerdict } from '../claimVerdict';
import { liveParts, unresolved } from '../liveValues';
import { parseText } from '../liveText';
import { experimentCells, type Notebook } from '../notebook';
import { parseNotebook } from '../parseNotebook';
import { parseNotebookFile, type NotebookFile } from '../notebookFile';
import { recordedSeries } from '../recording';
import { brokenCells } from '../references';
import { runLookup } from '../runLookup';
import type { ExperimentRun } from '../runSummaries';
import { staleCells } from '../staleness';
import { usedMetrics } from '../usedMetrics';
import { galleryNotebooks } from './gallery';
import { parseGalleryIndex } from './galleryIndex';

const folder = join('public', 'notebooks');
const maxFileBytes = 700_000;

function dataIn(name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

function opened(name: string): NotebookFile {
  const parsed = parseNotebookFile(dataIn(name));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues, null, 2));
  return parsed;
}

function runsOf({ recordings }: NotebookFile): ReadonlyMap<string, ExperimentRun> {
  return new Map(
    [...recordings].map(([id, recording]) => [
      id,
      { series: recordedSeries(recording), spec: recording.spec },
    ]),
  );
}

function textsOf({ cells }: Notebook): readonly string[] {
  return cells.flatMap((cell) => (cell.kind === 'text' ? [cell.source] : []));
}

test('the list names every file, with its size, in the order of the gallery', () => {
  const parsed = parseGalleryIndex(dataIn('index.json'));
  const entries = galleryNotebooks.map(({ id, summary, notebook: { title } }) => {
    const numBytes = statSync(join(folder, `${id}.json`)).size;
    return { id, title, summary, file: `${id}.json`, numBytes };
  });
  expect(parsed).toEqual({ ok: true, entries });
  expect(readdirSync(folder).toSorted()).toEqual(
    ['index.json', ...entries.map(({ file }) => file)].toSorted(),
  );
});

test.each(galleryNotebooks.map(({ id, notebook }) => [id, notebook] as const))(
  '%s is a valid notebook in which every name leads somewhere',
  (_id, notebook) => {
    expect(parseNotebook(JSON.parse(JSON.stringify(notebook)))).toEqual({ ok: true, notebook });
    expect(brokenCells(notebook)).toEqual([]);
    const parts = textsOf(notebook).flatMap((source) => Array.from(parseText(source)));
    expect(parts.filter(({ kind }) => kind === 'malformed')).toEqual([]);
    const references = parts.flatMap((part) => (part.kind === 'reference' ? [part.reference] : []));
    expect(references.length).toBeGreaterThan(0);
    expect(references.map((reference) => unresolved(notebook, reference))).toEqual(
      references.map(() => null),
    );
    for (const { spec } of experimentCells(notebook))
      expect(spec.seeds.length).toBeGreaterThanOrEqual(5);
  },
);

test.each(galleryNotebooks.map(({ id, notebook }) => [id, notebook] as const))(
  'the file of %s holds the notebook as it is written, and is small enough to fetch',
  (id, notebook) => {
    expect(opened(`${id}.json`).notebook).toEqual(notebook);
    expect(statSync(join(folder, `${id}.json`)).size).toBeLessThanOrEqual(maxFileBytes);
  },
);

describe.each(galleryNotebooks.map(({ id, notebook }) => [id, notebook] as const))(
  'the file of %s',
  (id, notebook) => {
    const name = `${id}.json`;

    test('has a finished run of every experiment, of the settings that it shows', () => {
      const { recordings } = opened(name);
      expect([...recordings.keys()]).toEqual(experimentCells(notebook).map((cell) => cell.id));
      const specs = new Map([...recordings].map(([cell, { spec }]) => [cell, spec]));
      expect([...staleCells(notebook, specs)]).toEqual([]);
      for (const [cell, recording] of recordings) {
        expect(recording.ended).toBe('completed');
        expect(recording.iterations).toBe(recording.spec.iterations);
        expect(new Set(recording.metrics)).toEqual(usedMetrics(notebook, cell));
        expect(new Set(recording.device.policies.map(({ backend }) => backend))).toEqual(
          new Set([recording.spec.backend]),
        );
      }
    });

    test('has a number for every live value and a verdict for every claim', () => {
      const file = opened(name);
      const runs = runsOf(file);
      const lookup = runLookup(notebook, runs);
      const parts = textsOf(notebook).flatMap((text) =>
        Array.from(liveParts(text, { lookup, staleExperiments: new Set() })),
      );
      const missing = parts.filter((part) => part.kind === 'value' && part.value === null);
      expect(missing).toEqual([]);
      const source = { notebook, runs, staleExperiments: new Set<string>() };
      const verdicts = notebook.cells.flatMap((cell) =>
        cell.kind === 'claim'
          ? [claimVerdict(cell.statement, claimEvidence(cell, source)).kind]
          : [],
      );
      expect(verdicts.length).toBeGreaterThan(0);
      for (const kind of verdicts) expect(['reproduced', 'notReproduced']).toContain(kind);
    });
  },
);
