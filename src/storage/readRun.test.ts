import { afterEach, beforeEach, expect, test } from 'vitest';
import { isPlainObject } from '../config/dataPath';
import { databaseName } from './database';
import type { RunStorage } from './storageApi';
import { dumpOf, loadDump, type DatabaseDump } from './testing/fakeDatabase';
import { madeUpBatch, madeUpNewRun } from './testing/madeUpRun';
import { createMemoryBrowser, type MemoryBrowser } from './testing/memoryBrowser';
import { databaseUpgrades } from './upgrades';

let browser: MemoryBrowser;
let storage: RunStorage;

beforeEach(async () => {
  browser = createMemoryBrowser();
  storage = await browser.open();
  for (const runId of ['run-1', 'run-2']) {
    await storage.createRun(madeUpNewRun({ runId }));
    for (const first of [0, 3, 6]) await storage.appendToRun(runId, madeUpBatch(first, first + 2));
  }
});

afterEach(() => browser.end());

type Rows = DatabaseDump[string];

async function changeRows(store: string, change: (rows: Rows) => Rows): Promise<void> {
  const dump = await dumpOf(browser.factory, databaseName);
  await loadDump(browser.factory, [databaseName, databaseUpgrades.length], {
    ...dump,
    [store]: change(dump[store]!),
  });
}

/** Changes the value of one row of the first run. */
function changeRow(
  store: string,
  number: number,
  change: (value: Record<string, unknown>) => unknown,
): Promise<void> {
  return changeRows(store, (rows) =>
    rows.map(([key, value], i) => [
      key,
      i === number ? change(isPlainObject(value) ? { ...value } : { value }) : value,
    ]),
  );
}

/** Places of the issues, the iterations that are intact, and that the other run is untouched. */
async function damage(): Promise<{
  paths: readonly string[];
  lastIntact: number | null | undefined;
}> {
  const other = await storage.readRun('run-2');
  expect(other.ok && other.run.events).toStrictEqual(
    [0, 3, 6].flatMap((first) => madeUpBatch(first, first + 2).events),
  );
  const read = await storage.readRun('run-1');
  if (read.ok) throw new Error('It was read.');
  expect(read.reason).toBe('damaged');
  return {
    paths: read.issues.map(({ path }) => path),
    lastIntact: read.intact?.lastSavedIteration,
  };
}

const within = (value: unknown): Record<string, unknown> => {
  if (!isPlainObject(value)) throw new TypeError('No group of values.');
  return { ...value };
};

test('a chunk that is gone, or is something else, ends what is intact before it', async () => {
  await changeRows('chunks', (rows) => rows.filter((_, i) => i !== 1));
  expect(await damage()).toEqual({ paths: ['chunks.1'], lastIntact: 2 });
  await changeRows('chunks', (rows) => [...rows, [['run-1', 1], 'rubbish']]);
  expect(await damage()).toEqual({ paths: ['chunks.1'], lastIntact: 2 });
});

test('what is intact has its episodes and numbers, and the run can be taken back to it', async () => {
  await changeRow('chunks', 2, () => null);
  const read = await storage.readRun('run-1');
  expect(!read.ok && read.intact?.events).toStrictEqual([
    ...madeUpBatch(0, 2).events,
    ...madeUpBatch(3, 5).events,
  ]);
  expect(!read.ok && read.message).toContain('iterations up to 5 can be shown');
  expect(await storage.truncateRun('run-1', 5)).toMatchObject({ ok: true });
  expect((await storage.readRun('run-1')).ok).toBe(true);
});

test.each<[string, (chunk: Record<string, unknown>) => unknown, string]>([
  [
    'lost a number',
    (chunk) => ({ ...chunk, rows: { ...within(chunk['rows']), values: new Float64Array(1) } }),
    'chunks.1.rows.values',
  ],
  [
    'numbers of another kind',
    (chunk) => ({ ...chunk, rows: { ...within(chunk['rows']), values: [1, 2] } }),
    'chunks.1.rows.values',
  ],
  [
    'a line that is not there',
    (chunk) => ({
      ...chunk,
      rows: { ...within(chunk['rows']), lineIds: Int32Array.of(9, 9, 9, 0, 0, 0, 0, 0, 0) },
    }),
    'chunks.1.rows.lineIds',
  ],
  [
    'one row twice',
    (chunk) => ({
      ...chunk,
      rows: {
        ...within(chunk['rows']),
        lineIds: Int32Array.of(0, 0, 2, 0, 1, 2, 0, 1, 2),
      },
    }),
    'chunks.1.events.0',
  ],
  [
    'a metric that there is not',
    (chunk) => ({ ...chunk, rows: { ...within(chunk['rows']), metricSets: [['gradNrom']] } }),
    'chunks.1.rows.metricSets.0.0',
  ],
  [
    'rows of another iteration',
    (chunk) => ({
      ...chunk,
      rows: { ...within(chunk['rows']), iterations: Int32Array.of(3, 3, 4, 4, 4, 4, 5, 5, 5) },
    }),
    'chunks.1.events.0',
  ],
  [
    'pairs fewer than its iterations',
    (chunk) => ({ ...chunk, pairs: { ...within(chunk['pairs']), hasCosine: new Uint8Array(2) } }),
    'chunks.1.pairs.hasCosine',
  ],
  [
    'a chance for a pair that is not there',
    (chunk) => ({
      ...chunk,
      pairs: {
        ...within(chunk['pairs']),
        conflicts: [
          { pair: 3, iteration: 4, cosine: 0, nullLow: 0, nullMedian: 0, isConflict: false },
        ],
      },
    }),
    'chunks.1.pairs.conflicts',
  ],
  ['something more', (chunk) => ({ ...chunk, more: 1 }), 'chunks.1.more'],
])('a chunk with %s is told by its place', async (_, change, path) => {
  await changeRow('chunks', 1, change);
  expect(await damage()).toEqual({ paths: [path], lastIntact: 2 });
});

test('chunks in another order, and more of them than the head knows, are told', async () => {
  await changeRows('chunks', (rows) => {
    const values = rows.map(([, value]) => value);
    const swapped = [values[0], values[2], values[1]];
    return rows.map(([key, value], i) => [key, i < 3 ? swapped[i] : value]);
  });
  expect((await damage()).paths).toEqual(['chunks.1.events.0.iteration']);
  await changeRows('chunks', (rows) => {
    const values = rows.map(([, value]) => value);
    const back = [values[0], values[2], values[1]];
    const own = rows.map(([key, value], i) => [key, i < 3 ? back[i] : value] as const);
    return [...own, [['run-1', 3], values[0]]];
  });
  expect(await damage()).toEqual({ paths: ['chunks.3'], lastIntact: 8 });
});

test('a head that does not fit its chunks is told', async () => {
  await changeRow('runs', 0, (row) => ({
    ...row,
    progress: { ...within(row['progress']), lastIteration: 7 },
  }));
  expect(await damage()).toMatchObject({
    paths: expect.arrayContaining(['progress.lastIteration']),
    lastIntact: 8,
  });
});

test('a specification that was changed after the run is found out, and nothing is intact', async () => {
  await changeRow('runs', 0, (row) => {
    const head = within(row['head']);
    return {
      ...row,
      head: { ...head, spec: String(head['spec']).replace('"iterations":', '"iterations":1') },
    };
  });
  expect(await damage()).toEqual({ paths: ['head.specHash'], lastIntact: undefined });
});

test('a row without a head, of another run, or of rubbish is listed apart from the others', async () => {
  for (const row of [{ progress: {} }, 'rubbish', null]) {
    await changeRow('runs', 0, () => row);
    const listed = await storage.listRuns();
    expect(listed.ok && listed.runs.map(({ head }) => head.runId)).toEqual(['run-2']);
    expect(listed.ok && listed.damaged.map(({ id }) => id)).toEqual(['run-1']);
    expect((await damage()).lastIntact).toBeUndefined();
  }
  await changeRows('runs', (rows) => [[rows[0]![0], rows[1]![1]], rows[1]!]);
  expect((await damage()).paths).toEqual(['head.runId']);
});

test('nothing is added to a run whose head cannot be read; it can be deleted', async () => {
  await changeRow('runs', 0, (row) => ({ ...row, progress: 'rubbish' }));
  const before = await dumpOf(browser.factory, databaseName);
  for (const write of [
    storage.appendToRun('run-1', madeUpBatch(9, 9)),
    storage.writeCheckpoint('run-1', 2, Uint8Array.of(1)),
    storage.truncateRun('run-1', 2),
  ])
    expect(await write).toMatchObject({ ok: false, reason: 'damaged' });
  expect(await dumpOf(browser.factory, databaseName)).toStrictEqual(before);
  expect(await storage.deleteRun('run-1')).toEqual({ ok: true });
  expect(await storage.listRuns()).toMatchObject({ damaged: [] });
});

test('a damaged episode or group record costs no iteration: the others come with what is intact', async () => {
  await changeRow('transcripts', 1, () => '{"arm": "glob');
  await changeRow('groups', 4, (group) => ({ ...group, scores: new Float64Array(0) }));
  expect(await damage()).toEqual({
    paths: ['transcripts.0.1', 'groups.4.0.scores'],
    lastIntact: 8,
  });
  const read = await storage.readRun('run-1');
  const events = (read.ok ? null : read.intact)?.events ?? [];
  const counts = events.flatMap((event) =>
    event.kind === 'iteration' ? [[event.transcripts.length, event.groups.length]] : [],
  );
  expect(counts.slice(0, 6)).toEqual([
    [1, 1],
    [2, 1],
    [2, 1],
    [2, 1],
    [2, 0],
    [2, 1],
  ]);
});

test('episodes of iterations that the run has not are told', async () => {
  await changeRows('transcripts', (rows) => [...rows, [['run-1', 9, 0, 0], rows[0]![1]]]);
  await changeRows('groups', (rows) => [...rows, [['run-1', -1, 0, 0, 26], rows[0]![1]]]);
  expect((await damage()).paths).toEqual(['transcripts.9', 'groups.-1']);
});
