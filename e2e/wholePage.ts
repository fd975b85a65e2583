import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Download, type Page, type Request } from '@playwright/test';
import { distFolder } from './commands/project.mjs';
import type { NotebookPage } from './notebookPage';

/** Everything that a reader can open, save or look into: for promises that hold whatever is done with the page. */

const exportLabels = [
  'Metrics, CSV',
  'Metrics, wide CSV',
  'Metrics, Parquet',
  'Metrics, names of verl',
  'Metrics, names of TRL',
  'Summary, JSON',
  'Episodes, JSON Lines',
  'Episodes, ADP',
  'Archive, ZIP',
  'Command for Dr. MAS',
];

async function saved(page: Page, press: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return download;
}

/** Unfolds what is folded, also what unfolds with it. Returns how many parts that were. */
async function unfoldAll(page: Page): Promise<number> {
  const unfold = (): Promise<number> =>
    page.evaluate(() => {
      const folded = document.querySelectorAll<HTMLElement>(
        'details:not([open]):not(.chart-menu) > summary',
      );
      for (const summary of folded) summary.click();
      return folded.length;
    });
  let numUnfolded = 0;
  for (let pass = 0; pass < 5; pass++) {
    const added = await unfold();
    numUnfolded += added;
    // What is in a part comes with the next drawing, or with a script of its own.
    await page.waitForTimeout(300);
    if (added === 0) break;
  }
  return numUnfolded;
}

/** Opens every panel, the command menu, the help of settings, another notebook and the colours of the night. */
export async function openEverything(notebook: NotebookPage): Promise<void> {
  const { page } = notebook;
  expect(await unfoldAll(page)).toBeGreaterThan(5);
  const help = page.getByRole('button', { name: /^About / });
  await help.first().focus();
  await help.last().focus();
  await notebook.command('Light or dark');
  await notebook.command('Add text');
  await page.keyboard.type('The share is $\\frac{1}{2}$.');
  await page.keyboard.press('Escape');
}

/** Saves the run in every form, and a figure in both. Returns the names of the files. */
export async function saveEverything({ page }: NotebookPage): Promise<readonly string[]> {
  const names: string[] = [];
  for (const label of exportLabels) {
    await page.getByText('Export', { exact: true }).click();
    const button = page.getByRole('button', { name: new RegExp(`^${label}`) });
    names.push((await saved(page, () => button.click())).suggestedFilename());
  }
  const chart = page.getByRole('figure', { name: 'Gradient norm', exact: true });
  const view = chart.getByRole('button', { name: 'View' });
  await view.click();
  for (const format of ['SVG', 'PNG']) {
    const button = chart.getByRole('button', { name: `Save as ${format}` });
    names.push((await saved(page, () => button.click())).suggestedFilename());
  }
  await view.click();
  return names;
}

/** Whether a request only reads a file of the built site: no other method, no question, nothing sent along. */
export function isOwnFile(request: Request, siteUrl: string): boolean {
  const url = request.url();
  if (request.method() !== 'GET' || request.postData() !== null || !url.startsWith(siteUrl))
    return false;
  const [path = ''] = url.slice(siteUrl.length).split('#');
  const file = path === '' ? 'index.html' : path;
  return statSync(join(distFolder, file), { throwIfNoEntry: false })?.isFile() ?? false;
}
