import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendRows, appendTrainingTime, createRunSeries } from '../metrics/runSeries';
import { databaseName } from './database';
import { parseNotebookRow } from './notebooks';
import { parseRun, type RunRows } from './readRun';
import type { ReadRun, StoredRun } from './storageApi';
import { sampleNotebook } from '../notebook/testing/sampleNotebook';
import { dumpOf, loadDump, type DatabaseDump } from './testing/fakeDatabase';
import { madeUpBatch, madeUpNewRun } from './testing/madeUpRun';
import { createMemoryBrowser } from './testing/memoryBrowser';
import { foreign, mutated, mutation } from './testing/mutated';
import { databaseUpgrades } from './upgrades';

/** 500 cases, or what MARLBOOK_FUZZ_RUNS says. A failure prints the seed and path that repeat it. */
const numRuns = Number(process.env['MARLBOOK_FUZZ_RUNS'] ?? 500);

async function baseDump(): Promise<DatabaseDump> {
  const browser = createMemoryBrowser();
  const storage = await browser.open();
  await storage.createRun(madeUpNewRun());
  for (const first of [0, 3]) await storage.appendToRun('run-1', madeUpBatch(first, first + 2));
  for (const iteration of [2, 4])
    await storage.writeCheckpoint('run-1', iteration, Uint8Array.of(iteration));
  await storage.saveNotebook('n1', sampleNotebook(), 1);
  const dump = await dumpOf(browser.factory, databaseName);
  await browser.end();
  return dump;
}

const base = await baseDump();

function rowsIn(dump: DatabaseDump): RunRows {
  const stored = (store: string): { key: never; value: unknown }[] =>
    // The keys are whatever stands there, as in a database.
    dump[store]!.map(([key, value]) => ({ key: asFound(key), value }));
  return {
    runId: 'run-1',
    row: dump['runs']![0]?.[1],
    chunks: stored('chunks'),
    transcripts: stored('transcripts'),
    groups: stored('groups'),
    checkpoints: [2, 4],
  };
}

const asFound: (key: unknown) => never = (key) => {
  const box: { key?: never } = {};
  Reflect.set(box, 'key', key);
  return box.key!;
};

/** The page takes in what was read: what it does with a run must not throw, and finds its parts in keeping. */
function isUsable({ events, head, standing }: StoredRun): boolean {
  const series = createRunSeries();
  const iterations = events.filter((event) => event.kind === 'iteration');
  for (const { iteration, rows, times } of iterations) {
    appendRows(series, rows);
    const { rolloutMs, advantagesMs, diagnosticsMs, updateMs } = times;
    appendTrainingTime(series, iteration, rolloutMs + advantagesMs + diagnosticsMs + updateMs);
  }
  const episodes = iterations.flatMap(({ transcripts }) => transcripts);
  const groups = iterations.flatMap((event) => event.groups);
  return (
    JSON.stringify({ head, standing }).length > 0 &&
    episodes.every(({ turns, blame }) => blame === null || blame.turns.length === turns.length) &&
    groups.every(
      ({ agents, agentIds, scores }) =>
        agentIds.length === scores.length && agentIds.every((id) => typeof agents[id] === 'string'),
    )
  );
}

/** What is wrong with an answer; null where nothing is. */
function faultIn(read: ReadRun): string | null {
  if (read.ok) return isUsable(read.run) ? null : 'It was read and cannot be used.';
  if (read.intact !== null && !isUsable(read.intact)) return 'What is intact cannot be used.';
  if (read.reason === 'missing') return null;
  if (read.reason !== 'damaged') return read.reason;
  if (read.issues.length === 0) return 'No issue.';
  const bad = read.issues.find(
    ({ path, message }) =>
      !/[.!?]$/.test(message) || (path === '' && !/^And \d+ more issues/.test(message)),
  );
  return bad === undefined ? null : `${bad.path}: ${bad.message}`;
}

const stores = ['runs', 'chunks', 'transcripts', 'groups'] as const;

test('whatever stands in a place of a row: a run is read, or refused with the place', () => {
  let numDamaged = 0;
  fc.assert(
    fc.property(fc.constantFrom(...stores), fc.nat(), mutation, (store, row, change) => {
      const rows = base[store]!;
      const at = row % rows.length;
      const value = mutated(structuredClone(rows[at]![1]), change);
      const read = parseRun(rowsIn({ ...base, [store]: rows.with(at, [rows[at]![0], value]) }));
      expect(faultIn(read)).toBeNull();
      numDamaged += read.ok ? 0 : 1;
    }),
    { numRuns },
  );
  // A fuzz that damages nothing would find nothing.
  expect(numDamaged).toBeGreaterThan(numRuns / 3);
});

test('whatever keys rows have, a run is read or refused', () => {
  const part = fc.oneof(fc.integer({ min: -2, max: 8 }), fc.double({ noNaN: true }), fc.string());
  const keyed = fc.constantFrom('chunks', 'transcripts', 'groups');
  fc.assert(
    fc.property(keyed, fc.nat(), part, (store, row, put) => {
      const rows = base[store]!;
      const at = row % rows.length;
      const [key, value] = rows[at]!;
      const changed = Array.isArray(key) ? key.with(1, put) : key;
      const read = parseRun(rowsIn({ ...base, [store]: rows.with(at, [changed, value]) }));
      expect(faultIn(read)).toBeNull();
    }),
    { numRuns },
  );
});

test('whatever stands in the row of a checkpoint or in its file: what is read is a checkpoint as it was written', async () => {
  const browser = createMemoryBrowser();
  let numSkipped = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(), mutation, foreign, async (row, change, bytes) => {
      const rows = base['checkpoints']!;
      const at = row % rows.length;
      const value = mutated(structuredClone(rows[at]![1]), change);
      const checkpoints = rows.with(at, [rows[at]![0], value]);
      await loadDump(browser.factory, [databaseName, databaseUpgrades.length], {
        ...base,
        checkpoints,
      });
      browser.files.contents.clear();
      browser.files.contents.set('run-1.2.id0', Uint8Array.of(2));
      browser.files.contents.set(
        'run-1.4.id1',
        bytes instanceof Uint8Array ? bytes : Uint8Array.of(4),
      );
      const storage = await browser.open();
      const read = await storage.readCheckpoint('run-1');
      await storage.close();
      const found = read.ok ? [read.iteration, ...read.bytes] : read.reason;
      expect(['none', '2,2', '4,4']).toContain(String(found));
      expect(read.skipped.length + (read.ok ? 1 : 0)).toBeGreaterThan(0);
      numSkipped += read.skipped.length;
    }),
    { numRuns },
  );
  expect(numSkipped).toBeGreaterThan(numRuns / 10);
  await browser.end();
});

test('whatever stands in the row of a notebook, it is read as one or refused with the place', () => {
  fc.assert(
    fc.property(mutation, (change) => {
      const row = mutated(structuredClone(base['notebooks']![0]![1]), change);
      const read = parseNotebookRow('n1', row);
      const hasReason = read.ok ? read.notebook.version === 1 : read.issues.length > 0;
      expect(hasReason || (!read.ok && read.reason === 'missing')).toBe(true);
    }),
    { numRuns },
  );
});
