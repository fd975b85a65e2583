import { readFile } from 'node:fs/promises';
import { expect, type Locator } from '@playwright/test';
import { encodeNotebookFile, parseNotebookFile } from '../src/notebook/notebookFile';
import type { RunRecording } from '../src/notebook/recording';
import type { NotebookPage } from './notebookPage';
import { test } from './notebookTest';
import { expectAccessible, expectNoOverflow } from './pageRules';
import { longSpec, tinySpec } from './tinySpec';

const spec = { ...tinySpec, backend: 'cpu', iterations: 3 } as const;

/** The notebook with its results, as the page saves it. */
async function savedNotebook(notebook: NotebookPage): Promise<string> {
  const [download] = await Promise.all([
    notebook.page.waitForEvent('download'),
    notebook.button('Save the notebook as a file').click(),
  ]);
  return readFile(await download.path(), 'utf8');
}

async function openText(notebook: NotebookPage, text: string): Promise<void> {
  await notebook.open();
  await notebook.page.getByLabel('Notebook or configuration file', { exact: true }).setInputFiles({
    name: 'run.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  });
  await expect(notebook.announcement).toContainText('was opened');
}

/** The same notebook with its one recording changed. */
function changed(text: string, change: (recording: RunRecording) => RunRecording): string {
  const file = parseNotebookFile(JSON.parse(text));
  if (!file.ok) throw new Error(file.issues[0]?.message);
  const recordings = new Map([...file.recordings].map(([id, run]) => [id, change(run)]));
  return JSON.stringify(encodeNotebookFile({ notebook: file.notebook, recordings }));
}

function panelOf({ page }: NotebookPage): Locator {
  return page.getByRole('region', { name: 'Verification', exact: true });
}

async function recorded(notebook: NotebookPage): Promise<string> {
  await notebook.openSpec(spec);
  await notebook.runToEnd();
  return savedNotebook(notebook);
}

test('a run that came in a file is identical when it is made again on the CPU, and stays as it is', async ({
  notebook,
}) => {
  const text = await recorded(notebook);
  await openText(notebook, text);
  // The form may hold anything: the run is made again as it ran.
  await notebook.set('Groups', 'Group size', '2');
  const rows = await notebook.rows();
  const numValues = rows.reduce((sum, { values }) => sum + Object.keys(values).length, 0);
  await notebook.button('Verify').click();
  const panel = panelOf(notebook);
  const count = new Intl.NumberFormat('en-US').format(numValues);
  await expect(panel).toContainText(`Identical: ${count} of ${count} values`, { timeout: 60_000 });
  await expect(notebook.announcement).toContainText('Identical');
  await expect(panel).toContainText('Both ran on the CPU backend');
  await expect(panel).toContainText('Measured times are not compared');
  await expect(panel.getByRole('region', { name: 'Made with' })).toContainText('CPU (reference)');
  expect(await notebook.rows()).toEqual(rows);
  await notebook.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await panel.getByRole('button', { name: 'Copy as text' }).click();
  await expect(notebook.announcement).toContainText('on the clipboard');
  const copied = await notebook.page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`Identical: ${count} of ${count}`);
  const [download] = await Promise.all([
    notebook.page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Save as JSON' }).click(),
  ]);
  expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
    format: 'marlbook-verdict',
    numValues,
    numIdentical: numValues,
    counts: { within: 0, differs: 0, missing: 0 },
  });
});

test('one number that was changed in the file is found: its series, its iteration and both values', async ({
  notebook,
}) => {
  const text = await recorded(notebook);
  let was = NaN;
  const tampered = changed(text, (run) => ({
    ...run,
    lines: run.lines.map((line) => {
      if (
        line.metric !== 'gradNorm' ||
        line.agent !== 'solver' ||
        line.arm !== 'agentWise' ||
        line.seed !== 1
      )
        return line;
      const values = Float64Array.from(line.values);
      const at = line.iterations.indexOf(2);
      was = values[at]!;
      values[at] = was + 0.25;
      return { ...line, values };
    }),
  }));
  expect(was).not.toBeNaN();
  await openText(notebook, tampered);
  await notebook.command('Verify');
  const panel = panelOf(notebook);
  await expect(panel).toContainText(
    `first at iteration 2: Gradient norm of solver in arm agentWise, seed 1 (${was + 0.25} in the original, ${was} here).`,
    { timeout: 60_000 },
  );
  await expect(panel).toContainText('Differs: 1 of');
  const first = panel.getByRole('region', { name: 'Series' }).getByRole('row').nth(1);
  await expect(first).toContainText('Gradient norm');
  await expect(first).toContainText('Differs from iteration 2');
  // What was tampered with is still what the page shows.
  const row = (await notebook.rows()).find(
    ({ arm, seed, agent, iteration }) =>
      arm === 'agentWise' && seed === 1 && agent === 'solver' && iteration === 2,
  );
  expect(row?.values.gradNorm).toBe(was + 0.25);
});

test('a run of another version is verified when that has been read, by keyboard alone', async ({
  notebook,
}) => {
  const { page } = notebook;
  const text = changed(await recorded(notebook), (run) => ({
    ...run,
    versions: { ...run.versions, marlbook: '0.1.0' },
  }));
  await openText(notebook, text);
  await notebook.button('Verify').focus();
  await page.keyboard.press('Enter');
  const panel = panelOf(notebook);
  await expect(panel).toContainText('made with Marlbook 0.1.0');
  await expect(panel.getByRole('progressbar')).toHaveCount(0);
  const all = panel.getByRole('button', { name: 'Verify all the same' });
  await all.focus();
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('Identical', { timeout: 60_000 });
  // The button that had the focus is gone; whoever reads on does so here.
  await expect(panel.getByRole('heading', { name: 'Verification' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(panel.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel).toBeHidden();
});

test('nothing is verified beside a run, nothing runs beside a verification, and it can be stopped', async ({
  notebook,
}) => {
  await notebook.openSpec({ ...longSpec, backend: 'cpu' });
  await expect(notebook.button('Verify')).toBeDisabled();
  await notebook.run.click();
  await notebook.started();
  await expect(notebook.button('Verify')).toBeDisabled();
  await notebook.button('Stop').click();
  await expect(notebook.phase('Stopped')).toBeVisible();
  const { iteration } = await notebook.progress();
  await notebook.button('Verify').click();
  const panel = panelOf(notebook);
  await expect(panel.getByRole('button', { name: 'Stop the verification' })).toBeVisible();
  await expect(panel).toContainText(`The original ended at iteration ${iteration} of 5000`);
  await expect(notebook.run).toBeDisabled();
  await notebook.page.getByLabel('Notebook or configuration file', { exact: true }).setInputFiles({
    name: 'other.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ version: 1, title: 'Other', cells: [] })),
  });
  await expect(notebook.announcement).toContainText('was not opened');
  await notebook.command('Stop the verification');
  await expect(panel.getByRole('region', { name: 'Made with' })).toBeVisible({ timeout: 60_000 });
  await expect(notebook.run).toBeEnabled();
});

/** By how much the numbers of a file are changed: beyond the tolerance, within it, and not at all. */
const moved = new Map<string, number>([
  ['gradNorm', 1],
  ['entropy', 1e-6],
  ['learningRate', 0],
]);

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });
    // The rules are tried on hundreds of elements, twice a test.
    test.describe.configure({ timeout: 240_000 });

    test('axe finds nothing in a verdict, and it fits narrow screens', async ({ notebook }) => {
      const { page } = notebook;
      const text = changed(await recorded(notebook), (run) => ({
        ...run,
        versions: { ...run.versions, marlbook: '0.1.0' },
        // The rules are tried on every cell of the table: a few rows of each kind will do.
        metrics: ['gradNorm', 'entropy', 'learningRate'],
        lines: run.lines.flatMap(({ values, ...line }) => {
          const by = moved.get(line.metric);
          return by === undefined ? [] : [{ ...line, values: values.map((value) => value + by) }];
        }),
      }));
      await openText(notebook, text);
      await notebook.button('Verify').click();
      const panel = panelOf(notebook);
      await expect(panel).toContainText('made with Marlbook 0.1.0');
      await expectAccessible(page, '.verification');
      await panel.getByRole('button', { name: 'Verify all the same' }).click();
      await expect(panel).toContainText('Differs', { timeout: 60_000 });
      await panel.getByText('Tolerances, where the bits differ').click();
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await expectAccessible(page, '.verification');
        await expectNoOverflow(page);
        await panel.screenshot({
          path: test.info().outputPath(`verdict-${width}-${colorScheme}.png`),
        });
      }
    });
  });
