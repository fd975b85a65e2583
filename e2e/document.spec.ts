import { expect } from '@playwright/test';
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
