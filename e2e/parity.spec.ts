import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { build } from 'vite';
import type { CohortSpec } from '../src/protocol/policyApi';
import { projectFolder } from './commands/project.mjs';
import { serveFolder } from './commands/server.mjs';

/** The policies' own code in a real browser: `webgpu` and `wasm` against `cpu`. */

test.describe.configure({ mode: 'default' });

const folder = join(projectFolder, 'node_modules', '.cache', 'parity');
let site: Awaited<ReturnType<typeof serveFolder>>;
let page: Page;

test.beforeAll(async ({ browser }) => {
  await build({
    root: join(projectFolder, 'e2e', 'parity'),
    configFile: false,
    logLevel: 'warn',
    base: './',
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, assetsInlineLimit: 0, target: 'es2023' },
  });
  site = await serveFolder({ folder });
  page = await browser.newPage();
  await page.goto(site.url);
});

test.afterAll(async () => {
  await page.close();
  await site.close();
});

const base: CohortSpec = {
  policyId: 'router',
  architecture: {
    numLayers: 2,
    hiddenSize: 32,
    numHeads: 4,
    numKeyValueHeads: 4,
    intermediateSize: 88,
    tieEmbeddings: false,
    ropeTheta: 10_000,
  },
  vocabularySize: 31,
  maxLength: 6,
  maxActionTokens: 1,
  backend: 'cpu',
};

const shapes: Record<string, CohortSpec> = {
  'the default policy': base,
  'grouped queries and a tied head': {
    ...base,
    architecture: { ...base.architecture, numKeyValueHeads: 2, tieEmbeddings: true },
  },
  'one key head, three action tokens, odd sizes': {
    ...base,
    vocabularySize: 17,
    maxLength: 10,
    maxActionTokens: 3,
    architecture: {
      ...base.architecture,
      numLayers: 1,
      hiddenSize: 24,
      numHeads: 3,
      numKeyValueHeads: 1,
      intermediateSize: 40,
    },
  },
  'sequences of a single token': { ...base, maxLength: 2 },
};

test('the browser under test has a WebGPU adapter, in the page and in workers', async () => {
  const hasAdapter = await page.evaluate(
    async () => (await navigator.gpu.requestAdapter()) !== null,
  );
  expect(hasAdapter).toBe(true);
  // In a worker of the site's own: the content policy lets no other start.
  const inWorker = await page.evaluate(() => window.parity.hasAdapter());
  expect(inWorker).toBe(true);
});

function trainedNorms(cohort: CohortSpec): Promise<number[]> {
  return page.evaluate((spec) => window.parity.trainTenSteps(spec), cohort);
}

test('a device destroyed over an update is replaced, and from the checkpoint every number is the same', async () => {
  const spec = { ...base, backend: 'webgpu' as const };
  const result = await page.evaluate((cohort) => window.parity.loseDevice(cohort), spec);
  expect(result).toMatchObject({ failure: 'lost', backend: 'webgpu', numDevices: 2 });
  expect(result.undisturbed.some((value) => Math.abs(value) > 0.1)).toBe(true);
  expect(result.recovered).toEqual(result.undisturbed);
});

for (const backend of ['wasm', 'webgpu'] as const) {
  for (const [name, shape] of Object.entries(shapes))
    test(`${backend}: logits and gradients of ${name} are those of cpu`, async () => {
      const spec = { ...shape, backend };
      // The comparison itself rejects beyond |Δ| ≤ 1e-5 + 1e-4 · |reference|, element by element.
      const deviations = await page.evaluate((cohort) => window.parity.compareStep(cohort), spec);
      expect(deviations.logits).toBeGreaterThan(0);
      expect(deviations.logits).toBeLessThan(1e-3);
      expect(deviations.gradients).toBeLessThan(1e-3);
    });

  test(`${backend}: ten optimizer steps have the gradient norms of cpu`, async () => {
    const reference = await trainedNorms(base);
    const measured = await trainedNorms({ ...base, backend });
    expect(reference).toHaveLength(20);
    expect(measured).toHaveLength(20);
    // float32 differences of one step, carried through nine more.
    for (const [index, norm] of reference.entries())
      expect(Math.abs(measured[index]! - norm)).toBeLessThan(1e-4 + 1e-3 * norm);
  });

  test(`${backend}: ten clipped updates of a critic, and scored turns, have the numbers of cpu`, async () => {
    for (const name of ['criticNumbers', 'scoredNumbers'] as const) {
      const numbersOn = (cohort: CohortSpec): Promise<number[]> =>
        page.evaluate(([call, spec]) => window.parity[call](spec), [name, cohort] as const);
      const reference = await numbersOn(shapes['one key head, three action tokens, odd sizes']!);
      const measured = await numbersOn({
        ...shapes['one key head, three action tokens, odd sizes']!,
        backend,
      });
      expect(measured).toHaveLength(reference.length);
      expect(reference.some((value) => Math.abs(value) > 0.1)).toBe(true);
      for (const [index, value] of reference.entries())
        expect(Math.abs(measured[index]! - value)).toBeLessThan(1e-4 + 2e-3 * Math.abs(value));
    }
  });

  test(`${backend}: a gradient that is not finite changes no weight and is reported`, async () => {
    const spec = { ...base, backend };
    const result = await page.evaluate((cohort) => window.parity.updateWithNaN(cohort), spec);
    expect(result.skipped).toBe(1);
    expect(result.after).toEqual(result.before);
  });
}
