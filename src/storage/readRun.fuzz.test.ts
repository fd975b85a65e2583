import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainObject } from '../config/dataPath';
import { appendRows, appendTrainingTime, createRunSeries } from '../metrics/runSeries';
import { databaseName } from './database';
import { parseNotebookRow } from './notebooks';
import { parseRun, type RunRows } from './readRun';
import type { StoredRun } from './storageApi';
import { sampleNotebook } from '../notebook/testing/sampleNotebook';
import { dumpOf, loadDump, type DatabaseDump } from './testing/fakeDatabase';
import { madeUpBatch, madeUpNewRun } from './testing/madeUpRun';
import { createMemoryBrowser } from './testing/memoryBrowser';
import { databaseUpgrades } from './upgrades';

/** 500 cases, or what MARLBOOK_FUZZ_RUNS says. A failure prints the seed and path that repeat it. */
const numRuns = Number(process.env['MARLBOOK_FUZZ_RUNS'] ?? 500);

/** What a disk, another version or somebody who means harm may have put in a place. */
const foreign = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    '',
    'rubbish',
    '__proto__',
    '{"a": 1}',
    [],
    {},
    NaN,
    Infinity,
    -0,
    -1,
    0.5,
    2 ** 53,
    1e308,
    new Date(0),
    new Map([[1, 2]]),
    new Float64Array(3),
    new Float32Array(2),
    new Uint8Array(1000),
    Int32Array.of(-1, 2 ** 31 - 1),
  ),
  fc.integer(),
  fc.double(),
  fc.string(),
);

interface Mutation {
  /** Which way is taken at each level. */
  readonly turns: readonly number[];
  readonly kind: 'replace' | 'remove' | 'add' | 'double';
  readonly value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  turns: fc.array(fc.nat(), { minLength: 1, maxLength: 7 }),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'double'),
  value: foreign,
});

/** A copy of plain data, columns and text with one place changed. */
function mutated(value: unknown, { turns, kind, value: put }: Mutation): unknown {
  const [turn = 0, ...rest] = turns;
  const isLeaf = rest.length === 0;
  if (Array.isArray(value) && value.length > 0) {
    const at = turn % value.length;
    if (!isLeaf) return value.with(at, mutated(value[at], { turns: rest, kind, value: put }));
    if (kind === 'remove') return value.toSpliced(at, 1);
    if (kind === 'double') return [...value, value[at]];
    return kind === 'add' ? [...value, put] : value.with(at, put);
  }
  if (isPlainObject(value) && !ArrayBuffer.isView(value)) {
    const keys = Object.keys(value);
    const key = keys[turn % Math.max(1, keys.length)];
    if (kind === 'add' && isLeaf) return { ...value, more: put };
    if (key === undefined) return put;
    if (!isLeaf) return { ...value, [key]: mutated(value[key], { turns: rest, kind, value: put }) };
    if (kind === 'remove')
      return Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));
    return { ...value, [key]: put };
  }
  return mutatedLeaf(value, [turn, put]);
}

function mutatedLeaf(value: unknown, [turn, put]: readonly [number, unknown]): unknown {
  if (typeof value === 'string' && value.length > 0 && typeof put !== 'string')
    return `${value.slice(0, turn % value.length)}${String(put)}${value.slice(turn % value.length)}`;
  if (value instanceof Float64Array || value instanceof Int32Array || value instanceof Uint8Array) {
    const copy = value.slice(0, turn % 2 === 0 ? value.length : value.length - 1);
    if (typeof put === 'number' && copy.length > 0) copy[turn % copy.length] = put;
    return copy;
  }
  return put;
}

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
  const stored = <K>(store: string): { key: K; value: unknown }[] =>
    dump[store]!.map(([key, value]) => ({ key: key as K, value }));
  return {
    runId: 'run-1',
    row: dump['runs']![0]?.[1],
    chunks: stored('chunks'),
    transcripts: stored('transcripts'),
    groups: stored('groups'),
    checkpoints: [2, 4],
  };
}

/** What the page does with a run: it must take everything that is read. */
function takeIn({ events, head, standing }: StoredRun): void {
  const series = createRunSeries();
  for (const event of events) {
    if (event.kind !== 'iteration') continue;
    appendRows(series, event.rows);
    const { rolloutMs, advantagesMs, diagnosticsMs, updateMs } = event.times;
    appendTrainingTime(
      series,
      event.iteration,
      rolloutMs + advantagesMs + diagnosticsMs + updateMs,
    );
    for (const { turns, blame } of event.transcripts)
      expect(blame === null || blame.turns.length === turns.length).toBe(true);
    for (const { agents, agentIds, scores } of event.groups) {
      expect(scores).toHaveLength(agentIds.length);
      for (const id of agentIds) expect(agents[id]).toBeTypeOf('string');
    }
  }
  expect(JSON.parse(JSON.stringify({ head, standing })).head.spec.version).toBe(1);
}

const stores = ['runs', 'chunks', 'transcripts', 'groups'] as const;

test('whatever stands in a place of a row: a run is read as it was, or refused with the place, and never half', () => {
  let numDamaged = 0;
  fc.assert(
    fc.property(fc.constantFrom(...stores), fc.nat(), mutation, (store, row, change) => {
      const rows = base[store]!;
      const at = row % rows.length;
      const value = mutated(structuredClone(rows[at]![1]), change);
      const read = parseRun(rowsIn({ ...base, [store]: rows.with(at, [rows[at]![0], value]) }));
      if (read.ok) return takeIn(read.run);
      numDamaged += 1;
      expect(['damaged', 'missing']).toContain(read.reason);
      if (read.reason === 'damaged') expect(read.issues.length).toBeGreaterThan(0);
      for (const { path, message } of read.issues) {
        expect(path).not.toBe('');
        expect(message).toMatch(/\.$/);
      }
      if (read.intact !== null) takeIn(read.intact);
    }),
    { numRuns },
  );
  // A fuzz that damages nothing would find nothing.
  expect(numDamaged).toBeGreaterThan(numRuns / 3);
});

test('whatever keys rows have, a run is read or refused', () => {
  const part = fc.oneof(fc.integer({ min: -2, max: 8 }), fc.double({ noNaN: true }), fc.string());
  fc.assert(
    fc.property(
      fc.constantFrom('chunks', 'transcripts', 'groups'),
      fc.nat(),
      part,
      (store, row, put) => {
        const rows = base[store]!;
        const [key, value] = rows[row % rows.length]!;
        const changed = Array.isArray(key) ? key.with(1, put) : key;
        const read = parseRun(
          rowsIn({ ...base, [store]: rows.with(row % rows.length, [changed, value]) }),
        );
        if (read.ok) takeIn(read.run);
        else if (read.intact !== null) takeIn(read.intact);
      },
    ),
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
      for (const [i, [, stored]] of rows.entries())
        if (isPlainObject(stored))
          browser.files.contents.set(String(stored['file']), Uint8Array.of(2 + 2 * i));
      if (bytes instanceof Uint8Array) browser.files.contents.set('run-1.4.id1', bytes);
      const storage = await browser.open();
      const read = await storage.readCheckpoint('run-1');
      await storage.close();
      numSkipped += read.skipped.length;
      if (read.ok) expect(read.bytes).toEqual(Uint8Array.of(read.iteration));
      else expect(read.reason).toBe('none');
      expect(read.skipped.length + (read.ok ? 1 : 0)).toBeGreaterThan(0);
    }),
    { numRuns: Math.min(numRuns, 500) },
  );
  expect(numSkipped).toBeGreaterThan(50);
  await browser.end();
});

test('whatever stands in the row of a notebook, it is read as one or refused', () => {
  fc.assert(
    fc.property(mutation, (change) => {
      const row = mutated(structuredClone(base['notebooks']![0]![1]), change);
      const read = parseNotebookRow('n1', row);
      if (read.ok) expect(read.notebook.version).toBe(1);
      else if (read.reason === 'damaged') expect(read.issues.length).toBeGreaterThan(0);
    }),
    { numRuns },
  );
});
