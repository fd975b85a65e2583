import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { presets } from '../config/presets';
import { sampleNotebook } from '../notebook/testing/sampleNotebook';
import { databaseName } from './database';
import { loadDump } from './testing/fakeDatabase';
import { dumpText, parseDump } from './testing/dumpText';
import { createMemoryBrowser, type MemoryBrowser } from './testing/memoryBrowser';
import { databaseUpgrades } from './upgrades';

/**
 * Databases as each version wrote them. They are never made anew: what was saved once must open for ever. One file a version,
 * with the same run, checkpoint and notebook in it.
 */
const versions = databaseUpgrades.map((_, before) => before + 1);

async function browserOf(version: number): Promise<MemoryBrowser> {
  const browser = createMemoryBrowser();
  const text = readFileSync(`src/storage/golden/version${version}.json`, 'utf8');
  await loadDump(browser.factory, [databaseName, version], parseDump(text));
  browser.files.contents.set('run-1.1.id0', Uint8Array.of(1, 2, 3));
  return browser;
}

test.each(versions)('a run that version %i saved comes back, every bit of it', async (version) => {
  const browser = await browserOf(version);
  const read = await (await browser.open()).readRun('run-1');
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  const { head, standing, events } = read.run;
  expect(head).toEqual({
    runId: 'run-1',
    notebookId: 'notebook-1',
    experiment: 'e1',
    spec: presets['solve-verify-null'].spec,
    specHash: expect.stringMatching(/^[0-9a-f]{16}$/),
    startedAt: 1_600_000_000_000,
    versions: { marlbook: '0.6.0', browser: 'Chrome/156.0.0.0' },
    userAgent: 'test',
  });
  expect(standing).toEqual({ phase: 'failed', message: 'No device.', endedAt: 1_600_000_000_500 });
  expect(events.map(({ kind }) => kind).join(' ')).toBe(
    'policies iteration throughput iteration throughput iteration throughput notice',
  );
  const rows = events.flatMap((event) => (event.kind === 'iteration' ? event.rows : []));
  const place = { arm: 'global', seed: 0 };
  expect(rows).toStrictEqual([
    { iteration: 0, ...place, agent: 'team', values: { success: 0 } },
    { iteration: 1, ...place, agent: 'solver', values: { gradNorm: NaN, numTurns: 64 } },
    { iteration: 1, ...place, agent: 'verifier', values: { numTurns: 1, gradNorm: -0 } },
    { iteration: 1, ...place, agent: 'team', values: { success: 1 / 7 } },
    { iteration: 2, ...place, agent: 'solver', values: { gradNorm: Infinity, numTurns: 64 } },
    { iteration: 2, ...place, agent: 'verifier', values: { numTurns: 2, gradNorm: -0 } },
    { iteration: 2, ...place, agent: 'team', values: { success: 2 / 7 } },
  ]);
  const second = events.find((event) => event.kind === 'iteration' && event.iteration === 2);
  expect(second).toMatchObject({
    tokens: 102,
    times: { rolloutMs: 1.5, advantagesMs: 0.1, diagnosticsMs: 0, updateMs: 2 / 3 },
    transcripts: [{ turns: [{ advantage: Infinity, penalty: -0 }] }, { rollout: 1 }],
    groups: [{ scores: Float64Array.of(Infinity), advantages: Float64Array.of(1 / 3) }],
    gradientPairs: [{ a: 'solver', b: 'verifier', updateCosine: null, conflict: null }],
  });
  await browser.end();
});

test.each(versions)(
  'a checkpoint and a notebook that version %i saved come back',
  async (version) => {
    const browser = await browserOf(version);
    const storage = await browser.open();
    expect(await storage.readCheckpoint('run-1')).toEqual({
      ok: true,
      iteration: 1,
      bytes: Uint8Array.of(1, 2, 3),
      skipped: [],
    });
    expect(await storage.readNotebook('notebook-1')).toEqual({
      ok: true,
      notebook: sampleNotebook(),
      savedAt: 1_600_000_000_600,
    });
    expect(await storage.truncateRun('run-1', 1)).toEqual({ ok: true, lastSavedIteration: 1 });
    await browser.end();
  },
);

test('the text of a database holds every kind of value that a database holds', () => {
  const dump = {
    a: [['k', { odd: [NaN, -0, -Infinity, 0.1 + 0.2], empty: new Uint8Array(0), no: null }]],
    b: [[['k', 1], { x: Float64Array.of(NaN, -0), y: Int16Array.of(-1), z: '$x' }]],
  } as const;
  expect(parseDump(dumpText({ a: [...dump.a], b: [[['k', 1], dump.b[0][1]]] }))).toStrictEqual(
    dump,
  );
});
