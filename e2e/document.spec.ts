import { expect, type Locator } from '@playwright/test';
import { decodeNotebookLink } from '../src/notebook/notebookLink';
import { test } from './notebookTest';
import { tinySpec } from './tinySpec';

test('cells are walked, moved, duplicated, deleted and brought back by keyboard, and the link follows', async ({
  notebook,
}) => {
  const { page } = notebook;
  await notebook.openSpec(tinySpec);
  const success = notebook.cell('Chart cell: Success');
  await success.focus();
  await expect(success).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(notebook.cell('Chart cell: Gradient norm')).toBeFocused();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(notebook.cell('Chart cell: Gradient norm')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(success).toBeFocused();
  await page.keyboard.press('c');
  await expect(notebook.cell('Chart cell: Success')).toHaveCount(2);
  await page.keyboard.press('Delete');
  await page.keyboard.press('Delete');
  await expect(notebook.cell('Chart cell: Gradient norm')).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(notebook.cell('Chart cell: Gradient norm')).toBeVisible();
  // The order is what the link opens.
  const ids = (): readonly string[] => {
    const opened = decodeNotebookLink(new URL(page.url()).hash);
    return opened.ok ? opened.notebook.cells.map(({ id }) => id) : [];
  };
  await expect.poll(() => ids().slice(0, 4)).toEqual(['main', 'success', 'norms', 'moment']);
  const { hash } = new URL(page.url());
  await notebook.open();
  await page.reload();
  await notebook.open(hash);
  await page.reload();
  const names = page.getByRole('group', { name: / cell: / });
  await expect(names.nth(1)).toHaveAccessibleName('Chart cell: Success');
  await expect(names.nth(2)).toHaveAccessibleName('Chart cell: Gradient norm');
});

test('a second experiment has a form, runs and results of its own', async ({ notebook }) => {
  const { page } = notebook;
  await notebook.openSpec(tinySpec);
  await notebook.cell('Experiment cell: Tiny').focus();
  await page.keyboard.press('c');
  const copies = notebook.cell('Experiment cell: Tiny');
  await expect(copies).toHaveCount(2);
  await expect(copies.nth(1)).toBeFocused();
  await page.getByRole('textbox', { name: 'Title' }).fill('Second');
  await notebook.set('Groups', 'Group size', '2');
  await notebook.runToEnd();
  await expect(notebook.cell('Experiment cell: Second')).toContainText('runs of 6 iterations');
  await notebook.cell('Experiment cell: Tiny').focus();
  await expect(notebook.phase('Not run yet')).toBeVisible();
  await expect(await notebook.setting('Groups', 'Group size')).toHaveValue('4');
  await expect(notebook.cell('Experiment cell: Tiny')).toContainText('Nothing has run yet');
});

test('an edit marks the experiment, and every cell that shows it, as stale; undo takes it back', async ({
  notebook,
}) => {
  await notebook.openSpec(tinySpec);
  await notebook.runToEnd();
  await expect(notebook.page.getByText('Stale', { exact: true })).toHaveCount(0);
  await notebook.set('Groups', 'Group size', '2');
  const norms = notebook.cell('Chart cell: Gradient norm');
  await expect(norms.getByText('Stale: changed since the run')).toBeAttached();
  await expect(norms).toContainText('Group size');
  await notebook.command('Undo');
  await expect(norms.getByText('Stale: changed since the run')).toHaveCount(0);
  await expect(await notebook.setting('Groups', 'Group size')).toHaveValue('4');
});

test('opening an empty notebook keeps the one before, with its results, one step back', async ({
  notebook,
}) => {
  await notebook.openSpec(tinySpec);
  await notebook.runToEnd();
  await notebook.command('New empty notebook');
  await expect(
    notebook.page.getByText('An empty notebook. Begin with an experiment'),
  ).toBeVisible();
  await expect(notebook.run).toBeDisabled();
  await notebook.button('Back to that notebook').click();
  await expect(notebook.phase('Finished')).toBeVisible();
  await expect(notebook.cell('Experiment cell: Tiny')).toBeVisible();
});

test('a hostile notebook file is refused with the path of each problem, and nothing is loaded', async ({
  notebook,
}) => {
  await notebook.open();
  const open = async (name: string, data: string): Promise<void> => {
    await notebook.page
      .getByLabel('Notebook or configuration file', { exact: true })
      .setInputFiles({
        name,
        mimeType: 'application/json',
        buffer: Buffer.from(data),
      });
  };
  const cell = { id: 'a', kind: 'chart', experiment: 'gone', metrics: ['gradNorms'] };
  await open('bad.json', JSON.stringify({ version: 1, title: 7, cells: [cell, { kind: 'txet' }] }));
  const notice = notebook.notice('The file bad.json was not opened');
  await expect(notice).toContainText('title');
  await expect(notice).toContainText('cells.0.metrics.0');
  await expect(notice).toContainText('the nearest is gradNorm');
  await expect(notice).toContainText('The nearest is text');
  await open('proto.json', '{"version":1,"title":"","cells":[],"__proto__":{"polluted":1}}');
  await expect(notebook.notice('The file proto.json was not opened')).toContainText('__proto__');
  expect(await notebook.page.evaluate(() => 'polluted' in {})).toBe(false);
  await expect(notebook.run).toBeEnabled();
});

test('a notebook is built from nothing, run, read and judged by keyboard alone', async ({
  notebook,
}) => {
  // A whole preset with its warm start.
  const { page } = notebook;
  const { keyboard } = page;
  await notebook.openSpec(tinySpec);
  await notebook.command('New empty notebook');
  await notebook.command('Add experiment');
  await expect(notebook.cell(/^Experiment cell/)).toBeFocused();
  await notebook.preset('Null control').focus();
  await keyboard.press('Space');
  const experiment = notebook.cell('Experiment cell: Null control: every agent acts once');
  await expect(experiment).toBeVisible();
  const type = async (field: Locator, text: string): Promise<void> => {
    await field.focus();
    await keyboard.press('Control+a');
    await keyboard.type(text);
  };
  await type(page.getByRole('textbox', { name: 'Seeds' }), '3');
  await type(await notebook.setting('Run', 'Iterations'), '4');
  await (await notebook.setting('Run', 'Backend')).focus();
  await keyboard.type('WebAssembly');
  await experiment.focus();
  await keyboard.press('b');
  await expect(page.getByRole('dialog', { name: 'Add a cell' })).toBeVisible();
  await keyboard.type('text');
  await keyboard.press('Enter');
  await expect(page.getByLabel('Text', { exact: true })).toBeFocused();
  await keyboard.type('# Norms\n\nTurns: {{experiment1.global.solver.numT');
  await keyboard.press('Enter');
  await keyboard.type('las');
  await keyboard.press('Enter');
  await keyboard.press('Escape');
  const text = notebook.cell('Text cell: Norms');
  await expect(text).toBeFocused();
  await expect(text.getByRole('heading', { name: 'Norms' })).toBeVisible();
  await expect(text).toContainText('Turns: –');
  for (const kind of ['chart', 'comparison', 'rollouts', 'claim', 'advantage microscope'])
    await notebook.command(`Add ${kind}`);
  await expect(page.getByRole('group', { name: / cell: / })).toHaveCount(7);
  const claim = notebook.cell(/^Claim cell/);
  await expect(claim).toContainText('Not run');
  await keyboard.press('Control+Enter');
  await notebook.finished();
  // 32 episodes an iteration, and the solver acts once in each.
  await expect(text).toContainText(/Turns: \d+/);
  await expect(claim).toContainText(/Reproduced|Not reproduced/);
  await expect(notebook.cell(/^Comparison cell/)).toContainText('agentWise');
  await expect(
    notebook
      .cell(/^Advantage microscope cell/)
      .getByRole('table')
      .first(),
  ).toBeVisible();
  // An edit makes the sentence stale; undo makes it speak of the run again.
  await type(page.getByRole('textbox', { name: 'Seeds' }), '4');
  await expect(claim).toContainText('Stale');
  await expect(text.locator('[data-stale="true"]')).toHaveCount(1);
  await notebook.command('Undo');
  await expect(claim).toContainText(/Reproduced|Not reproduced/);
});
