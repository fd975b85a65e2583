import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { parquetReadObjects } from 'hyparquet';
import { expect, type Download, type Page } from '@playwright/test';
import { parseAdpLines, fromAdp } from '../src/interop/adpTrajectories';
import { parseArchive } from '../src/interop/parseArchive';
import { readFigureProof } from '../src/interop/readFigureProof';
import { specHash } from '../src/config/specHash';
import { chartOf } from './chartPages';
import type { NotebookPage } from './notebookPage';
import { test } from './notebookTest';
import { expectAccessible, expectNoOverflow } from './pageRules';
import { tinySpec } from './tinySpec';

const spec = { ...tinySpec, iterations: 3 };
const name = `marlbook-${specHash(spec).slice(0, 8)}`;

async function saved(page: Page, press: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return download;
}

async function bytesOf(download: Download): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(await download.path()));
}

/** What the menu gives for a label. */
async function exported(notebook: NotebookPage, label: string): Promise<Uint8Array<ArrayBuffer>> {
  await notebook.page.getByText('Export', { exact: true }).click();
  const button = notebook.page.getByRole('button', { name: new RegExp(`^${label}`) });
  const download = await saved(notebook.page, () => button.click());
  expect(download.suggestedFilename().startsWith(`${name}-`)).toBe(true);
  await expect(notebook.announcement).toContainText('was saved');
  return bytesOf(download);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

test('a run leaves as CSV, Parquet and JSON Lines with every number of the page', async ({
  notebook,
}) => {
  await notebook.openSpec(spec);
  await notebook.runToEnd();
  const rows = await notebook.rows();
  const numValues = rows.reduce((sum, { values }) => sum + Object.keys(values).length, 0);
  const long = textOf(await exported(notebook, 'Metrics, CSV'))
    .trimEnd()
    .split('\r\n');
  expect(long).toHaveLength(1 + numValues);
  const parquet = await exported(notebook, 'Metrics, Parquet');
  // An independent reader.
  const table = await parquetReadObjects({ file: parquet.buffer });
  expect(table).toHaveLength(rows.length);
  for (const [index, row] of rows.entries()) {
    const read = table[index]!;
    expect([read['iteration'], read['arm'], Number(read['seed']), read['agent']]).toEqual([
      row.iteration,
      row.arm,
      row.seed,
      row.agent,
    ]);
    for (const [metric, value] of Object.entries(row.values)) expect(read[metric]).toBe(value);
  }
  const [verl = ''] = textOf(await exported(notebook, 'Metrics, names of verl')).split('\r\n');
  expect(verl.split(',')).toContain('actor/grad_norm');
  const episodes = textOf(await exported(notebook, 'Episodes, JSON Lines'))
    .trimEnd()
    .split('\n');
  const adp = parseAdpLines(await exported(notebook, 'Episodes, ADP'));
  if (!adp.ok) throw new Error(adp.issues[0]?.message);
  const back = fromAdp(adp.value);
  expect(back.ok && back.value.length).toBe(episodes.length);
  const command = textOf(await exported(notebook, 'Command for Dr. MAS'));
  expect(command).toContain('python3 -m verl.trainer.main_ppo');
  expect(command).toContain('have no counterpart there');
});

test('an archive opens again with its results, and leaves again byte by byte', async ({
  notebook,
}) => {
  const { page } = notebook;
  await notebook.openSpec(spec);
  await notebook.runToEnd();
  const rows = await notebook.rows();
  const bytes = await exported(notebook, 'Archive');
  const archive = parseArchive(bytes);
  if (!archive.ok) throw new Error(archive.issues[0]?.message);
  expect(specHash(archive.value.spec)).toBe(specHash(spec));
  await notebook.open();
  await page.getByLabel('Notebook or configuration file', { exact: true }).setInputFiles({
    name: 'run.zip',
    mimeType: 'application/zip',
    buffer: Buffer.from(bytes),
  });
  await expect(notebook.announcement).toContainText('was opened');
  await expect.poll(() => notebook.rows()).toHaveLength(rows.length);
  const again = await exported(notebook, 'Archive');
  const files = unzipSync(again);
  for (const [file, content] of Object.entries(unzipSync(bytes)))
    expect(textOf(files[file] ?? new Uint8Array()), file).toBe(textOf(content));
  expect(Buffer.compare(again, bytes)).toBe(0);
});

for (const format of ['SVG', 'PNG'] as const)
  test(`a figure saved as ${format} opens the notebook that it was drawn in`, async ({
    notebook,
  }) => {
    const { page } = notebook;
    await notebook.openSpec(spec);
    await notebook.runToEnd();
    // What is drawn is of the run, also where the settings have changed since.
    await notebook.set('Run', 'Iterations', '7');
    const chart = chartOf(notebook, 'Gradient norm');
    await chart.getByRole('button', { name: 'View' }).click();
    const download = await saved(page, () =>
      chart.getByRole('button', { name: `Save as ${format}` }).click(),
    );
    await download.saveAs(test.info().outputPath(download.suggestedFilename()));
    const bytes = await bytesOf(download);
    const proof = readFigureProof(bytes);
    if (!proof.ok) throw new Error(proof.issues[0]?.message);
    expect(proof.value.specHash).toBe(specHash(spec));
    expect(proof.value.seeds).toEqual(spec.seeds);
    // It stands alone: nothing is left to the page’s styles.
    if (format === 'SVG') expect(textOf(bytes)).not.toMatch(/currentcolor|var\(/i);
    await notebook.open();
    await page.getByLabel('Notebook or configuration file', { exact: true }).setInputFiles({
      name: 'figure',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(bytes),
    });
    await expect(notebook.announcement).toContainText('was opened');
    await expect(await notebook.setting('Run', 'Iterations')).toHaveValue('3');
  });

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test('the menu opens by keyboard, fits narrow screens, and axe finds nothing in it', async ({
      notebook,
    }) => {
      const { page } = notebook;
      await notebook.openSpec({ ...spec, iterations: 1 });
      const menu = page.locator('.downloads');
      await menu.getByText('Export').click();
      await expect(menu).toContainText('There is nothing yet: run the experiment first.');
      await expect(menu.getByRole('button').first()).toBeDisabled();
      await page.keyboard.press('Escape');
      await notebook.runToEnd();
      const summary = menu.locator('summary');
      await summary.focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await expect(menu.getByRole('button').first()).toBeFocused();
      for (const width of [1440, 900, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await expect(menu.getByRole('button').last()).toBeVisible();
        await expectAccessible(page, '.downloads');
        await expectNoOverflow(page);
        const list = await menu.locator('.chart-menu-list').boundingBox();
        expect(list!.x).toBeGreaterThanOrEqual(0);
        expect(list!.x + list!.width).toBeLessThanOrEqual(width);
        await page.screenshot({ path: test.info().outputPath(`menu-${width}-${colorScheme}.png`) });
      }
      await page.keyboard.press('Escape');
      await expect(summary).toBeFocused();
    });
  });

const hostile = [
  { name: 'bomb.zip', text: 'PK\u0003\u0004 no archive' },
  { name: 'figure.svg', text: '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>' },
  { name: 'page.html', text: '<!doctype html><p>no figure' },
];

for (const { name: file, text } of hostile)
  test(`${file} that is none of ours is refused, and the page goes on`, async ({ notebook }) => {
    await notebook.open();
    await notebook.page
      .getByLabel('Notebook or configuration file', { exact: true })
      .setInputFiles({ name: file, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await expect(notebook.announcement).toContainText(`The file ${file} was not opened`);
    await expect(notebook.run).toBeEnabled();
  });
