import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { distFolder } from './commands/project.mjs';
import { serveFolder } from './commands/server.mjs';
import { NotebookPage } from './notebookPage';
import { test } from './notebookTest';
import { longSpec, tinySpec } from './tinySpec';

test('a preset is run, paused, stepped, stopped and shared, and the link opens the same form', async ({
  notebook,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await notebook.open();
  await notebook.preset('Null control').check();
  await notebook.set('Warm start', 'Start success', '0');
  await notebook.set('Groups', 'Tasks', '2');
  await notebook.set('Run', 'Iterations', '5000');

  await notebook.run.click();
  const norms = await notebook.tableRows('Gradient norm', 'Gradient norm of solver');
  await notebook.started();
  // The heading and at least two iterations.
  await expect.poll(() => norms.count()).toBeGreaterThan(2);

  await notebook.button('Pause').click();
  await expect(notebook.phase('Paused')).toBeVisible();
  const paused = await notebook.progress();
  expect(paused.iterations).toBe(5000);
  await notebook.button('Step').click();
  await expect.poll(async () => (await notebook.progress()).iteration).toBe(paused.iteration + 1);
  await expect(notebook.phase('Paused')).toBeVisible();

  await notebook.button('Resume').click();
  await expect
    .poll(async () => (await notebook.progress()).iteration)
    .toBeGreaterThan(paused.iteration + 2);
  await notebook.button('Stop').click();
  await expect(notebook.phase('Stopped')).toBeVisible();
  expect(await norms.count()).toBeGreaterThan(2);

  await notebook.button('Share').click();
  await expect(notebook.announcement).toHaveText(/link to this notebook is on the clipboard/);
  const link = await notebook.page.evaluate(() => navigator.clipboard.readText());
  const [address, payload] = link.split('#');
  const other = new NotebookPage(await context.newPage(), address ?? '');
  await other.open(`#${payload}`);
  await expect(other.notice('This configuration came from a link.')).toBeVisible();
  await expect(other.preset('Null control')).toBeChecked();
  await expect(await other.setting('Warm start', 'Start success')).toHaveValue('0');
  await expect(await other.setting('Groups', 'Tasks')).toHaveValue('2');
  await expect(await other.setting('Run', 'Iterations')).toHaveValue('5000');
  // A link never runs by itself.
  await expect(other.phase('Not run yet')).toBeVisible();
});

test('critics, a stale pipeline and a tree run in workers of their own, and their numbers arrive', async ({
  notebook,
}) => {
  await notebook.openSpec({
    ...tinySpec,
    // Untrained teams pay for unreadable actions at least, so that there is something to value.
    environment: { ...tinySpec.environment, invalidPenalty: 0.1 },
    groups: { ...tinySpec.groups, groupSize: 3, staleIterations: 2 },
    arms: [
      { name: 'mappo', overrides: { 'estimator.kind': 'gae', 'estimator.critic': 'state' } },
      {
        name: 'malt',
        overrides: {
          'estimator.scope': 'taskAgentTurn',
          'estimator.unit': 'step',
          'groups.sampling': 'expand',
        },
      },
      {
        name: 'tis',
        overrides: { 'loss.oldLogprobs': 'trainer', 'loss.samplerCorrection': 'tokenTruncate' },
      },
    ],
  });
  await notebook.run.click();
  await notebook.finished();
  const rows = await notebook.page.evaluate(() => window.marlbook.rows(0));
  const last = (arm: string) =>
    rows.findLast((row) => row.arm === arm && row.agent === 'team')!.values;
  expect(last('mappo').valueGradNorm).toBeGreaterThan(0);
  expect(last('malt').policyAge).toBe(2);
  expect(last('tis')).not.toHaveProperty('valueLoss');
});

test('the same link gives the same metric rows to the last bit on the CPU backend', async ({
  notebook,
  context,
}) => {
  const other = new NotebookPage(await context.newPage(), notebook.url);
  for (const one of [notebook, other]) {
    await one.openSpec(tinySpec);
    await one.runToEnd();
  }
  const rows = await notebook.rows();
  // 2 arms × 2 seeds × (2 agents + the team) × 6 iterations, and what iteration 0 measures of the team.
  expect(rows.length).toBeGreaterThanOrEqual(2 * 2 * 3 * 6);
  expect(await other.rows()).toEqual(rows);
});

test('another seed gives other rows', async ({ notebook }) => {
  await notebook.openSpec({ ...tinySpec, seeds: [0] });
  await notebook.runToEnd();
  const first = await notebook.rows();
  await notebook.load({ spec: { ...tinySpec, seeds: [2] } });
  await notebook.runToEnd();
  const second = await notebook.rows();
  const values = (rows: typeof first): unknown => rows.map((row) => row.values);
  expect(second).toHaveLength(first.length);
  expect(values(second)).not.toEqual(values(first));
});

for (const backend of ['wasm', 'webgpu'] as const)
  test(`an experiment runs to its end on ${backend}`, async ({ notebook }) => {
    await notebook.openSpec({
      ...tinySpec,
      backend,
      seeds: [0],
      iterations: 2,
      evaluation: { every: 1, tasks: 4, greedy: false },
    });
    await expect(notebook.run).toBeEnabled();
    await notebook.runToEnd();
    await notebook.finished();
    expect(await notebook.progress()).toEqual({ iteration: 2, iterations: 2 });
    await expect(notebook.page.getByText(/^logits ±.+, gradients ±/)).toBeVisible();
  });

test('charts and tables scroll inside their pane: the document itself never grows past the window', async ({
  notebook,
}) => {
  await notebook.openSpec(tinySpec);
  await notebook.runToEnd();
  await notebook.tableRows('Success', 'Success');
  await notebook
    .cell(/ cell: /)
    .last()
    .scrollIntoViewIfNeeded();
  const { documentHeight, windowHeight, scrolled } = await notebook.page.evaluate(() => ({
    documentHeight: document.documentElement.scrollHeight,
    windowHeight: window.innerHeight,
    scrolled: window.scrollY,
  }));
  expect(documentHeight).toBe(windowHeight);
  expect(scrolled).toBe(0);
});

test('an edit after a run marks the results as those of the previous configuration', async ({
  notebook,
}) => {
  await notebook.openSpec(tinySpec);
  await notebook.runToEnd();
  const stale = notebook.notice('These results belong to the previous configuration');
  await expect(stale).toBeHidden();
  await notebook.set('Groups', 'Group size', '8');
  await expect(stale).toContainText('Group size');
  await notebook.button('Back to that configuration').click();
  await expect(stale).toBeHidden();
});

test('a crashed trainer is reported, its charts stay, and Restart runs again', async ({
  notebook,
}) => {
  await notebook.openSpec(longSpec);
  await notebook.run.click();
  const rows = await notebook.tableRows('Success', 'Success');
  await expect.poll(() => rows.count()).toBeGreaterThan(2);
  const trainer = notebook.page.workers().find((worker) => worker.url().includes('trainer.worker'));
  await trainer?.evaluate(() => {
    setTimeout(() => {
      throw new Error('the trainer was lost on purpose');
    });
  });
  await expect(notebook.notice('The run failed')).toContainText('the trainer was lost on purpose');
  expect(await rows.count()).toBeGreaterThan(2);

  await expect(notebook.run).toHaveText('Restart');
  await notebook.run.click();
  await expect(notebook.notice('The run failed')).toBeHidden();
  await expect.poll(async () => (await notebook.progress()).iteration).toBeGreaterThan(1);
  await notebook.button('Stop').click();
  await expect(notebook.phase('Stopped')).toBeVisible();
});

for (const script of ['trainer.worker', 'policy.worker'])
  test(`a missing ${script} script is reported, and Restart works once it is there`, async ({
    page,
  }) => {
    const folder = test.info().outputPath('dist');
    await cp(distFolder, folder, { recursive: true });
    const names = await readdir(join(folder, 'assets'));
    const name = names.find((file) => file.startsWith(script)) ?? '';
    await rm(join(folder, 'assets', name));
    const site = await serveFolder({ folder });
    const notebook = new NotebookPage(page, site.url);
    await notebook.openSpec(tinySpec);
    await notebook.run.click();
    await expect(notebook.notice('The run failed')).toContainText('could not be loaded');
    await cp(join(distFolder, 'assets', name), join(folder, 'assets', name));
    await notebook.run.click();
    await notebook.finished();
    await site.close();
  });
