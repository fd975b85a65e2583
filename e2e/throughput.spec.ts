import { expect, type Locator } from '@playwright/test';
import type { NotebookPage } from './notebookPage';
import { test } from './notebookTest';
import { expectAccessible, expectNoOverflow } from './pageRules';
import { longSpec, tinySpec } from './tinySpec';

function panelOf({ page }: NotebookPage): Locator {
  return page.locator('details').filter({ has: page.getByRole('heading', { name: 'Throughput' }) });
}

/** Opens the panel as a reader does; it starts closed. */
async function opened(notebook: NotebookPage): Promise<Locator> {
  const panel = panelOf(notebook);
  await panel.getByRole('heading', { name: 'Throughput' }).click();
  await expect(panel.getByRole('heading', { name: 'Tokens' })).toBeVisible();
  return panel;
}

/** The cells of a row of one of the panel’s tables, by the beginning of the row’s name. */
function cells(panel: Locator, table: string, row: string): Locator {
  return panel
    .getByRole('region', { name: `Table of ${table}` })
    .getByRole('row')
    .filter({ has: panel.page().getByRole('rowheader', { name: new RegExp(`^${row}`) }) })
    .getByRole('cell');
}

test('while a run trains the panel counts frames and shares out the time; a pause stops the count', async ({
  notebook,
}) => {
  await notebook.openSpec(longSpec);
  const panel = await opened(notebook);
  const shown = cells(panel, 'Page', 'Shown').first();
  await expect(shown).toHaveText(/^–/);
  await notebook.run.click();
  await expect(shown).toHaveText(/^\d/);
  const before = Number(await shown.textContent());
  await expect.poll(async () => Number(await shown.textContent())).toBeGreaterThan(before);
  await notebook.started();
  for (const stage of ['Rollout', 'Update'])
    await expect
      .poll(async () => Number(await cells(panel, 'Time', stage).first().textContent()))
      .toBeGreaterThan(0);

  await notebook.button('Pause').click();
  await expect(notebook.phase('Paused')).toBeVisible();
  const frames = () =>
    notebook.page.evaluate(() => window.marlbook.summary()?.throughput.frames.numShown);
  const atPause = await frames();
  expect(atPause).toBeGreaterThan(before);
  // Thirty frames of the page go by; none is counted.
  await notebook.page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let left = 30;
        const next = (): void => {
          if (--left === 0) resolve();
          else requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
  );
  expect(await frames()).toBe(atPause);
});

test('rates appear with the second iteration and change while the run goes on; off the GPU the device has reasons instead', async ({
  notebook,
}) => {
  await notebook.openSpec(longSpec);
  const panel = await opened(notebook);
  const [sampling, training] = ['Sampling, latest', 'Training, latest'].map((row) =>
    cells(panel, 'Tokens', row).first(),
  );
  await expect(sampling!).toHaveText(/^– Known after/);
  await notebook.run.click();
  await notebook.started();
  for (const rate of [sampling!, training!]) {
    await expect(rate).toHaveText(/^[1-9]/);
    const before = (await rate.textContent()) ?? '';
    await expect(rate).not.toHaveText(before);
  }
  await expect(cells(panel, 'Device', 'GPU memory').first()).toHaveText(/^– Only policies/);
  await notebook.button('Stop').click();
  await expect(notebook.phase('Stopped')).toBeVisible();

  const report = await notebook.page.evaluate(() => window.marlbook.summary()?.throughput);
  const [all, ...policies] = report?.policies ?? [];
  expect(policies.map(({ name }) => name)).toEqual(['solver', 'verifier']);
  expect(all?.name).toBe('all');
  for (const policy of policies) {
    expect(policy.samplingLatest).toBeGreaterThan(0);
    expect(policy.trainingWholeRun).toBeGreaterThan(0);
    expect(policy.memory).toBeNull();
  }
  // A sum of tokens over a sum of times lies between the rates of its parts.
  const rates = policies.map(({ trainingWholeRun }) => trainingWholeRun ?? NaN);
  expect(all?.trainingWholeRun).toBeGreaterThanOrEqual(Math.min(...rates));
  expect(all?.trainingWholeRun).toBeLessThanOrEqual(Math.max(...rates));
});

test('“fastest here” times both engines with the run’s own model and batch, takes the faster one, and says so', async ({
  notebook,
}) => {
  await notebook.openSpec({ ...tinySpec, backend: 'auto', iterations: 1 });
  const panel = await opened(notebook);
  await notebook.runToEnd();
  const report = await notebook.page.evaluate(() => window.marlbook.summary()?.fingerprint.devices);
  expect(report).toHaveLength(2);
  for (const [index, { backend, compared, decoding, selfTest }] of (report ?? []).entries()) {
    expect(compared.map((engine) => engine.backend)).toEqual(['webgpu', 'wasm']);
    // A real adapter is there: both have started, been compared with the CPU, and been timed.
    const times = compared.map(({ sampleMs, updateMs }) => (sampleMs ?? NaN) + (updateMs ?? NaN));
    for (const ms of times) expect(ms).toBeGreaterThan(0);
    expect(backend).toBe(times[0]! < times[1]! ? 'webgpu' : 'wasm');
    expect(selfTest?.gradients).toBeLessThan(1e-3);
    expect(decoding === null).toBe(backend === 'wasm');
    const name = backend === 'webgpu' ? 'WebGPU' : 'WebAssembly';
    await expect(cells(panel, 'Engine', 'Runs on').nth(index)).toHaveText(name);
    await expect(cells(panel, 'Engine', 'Update, WebGPU').nth(index)).toHaveText(/^\d/);
  }
});

test('the panel opens by keyboard, and each group explains its numbers on focus', async ({
  notebook,
}) => {
  await notebook.openSpec(tinySpec);
  const panel = panelOf(notebook);
  await panel.locator('summary').focus();
  await notebook.page.keyboard.press('Enter');
  for (const [subject, words] of [
    ['Tokens', /tokens\/s\): Action tokens drawn/],
    ['Device', /still grows is a sign of trouble/],
    ['Engine', /To choose another one, set the backend/],
    ['Time', /Wall time of the stages/],
    ['Page', /more than 50 ms after the one before/],
  ] as const) {
    await panel.getByRole('button', { name: `About ${subject}` }).focus();
    await expect(panel.getByRole('tooltip').filter({ hasText: words })).toBeVisible();
  }
});

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test('axe finds nothing in the open panel, wide and narrow, and nothing is cut off', async ({
      notebook,
    }) => {
      await notebook.openSpec(tinySpec);
      const panel = await opened(notebook);
      await notebook.runToEnd();
      await panel.getByRole('button', { name: 'About Tokens' }).focus();
      for (const viewport of [
        { width: 1440, height: 900 },
        { width: 390, height: 844 },
      ]) {
        await notebook.page.setViewportSize(viewport);
        await panel.scrollIntoViewIfNeeded();
        await expectAccessible(notebook.page);
        await expectNoOverflow(notebook.page);
      }
    });
  });
