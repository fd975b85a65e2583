import { readFile } from 'node:fs/promises';
import { expect, type Locator } from '@playwright/test';
import type { ExperimentSpec } from '../src/config/experimentSpec';
import type { Intervention } from '../src/config/interventionSchema';
import { decodeShareLink } from '../src/config/shareLink';
import { parseArchive } from '../src/interop/parseArchive';
import type { NotebookPage } from './notebookPage';
import { test } from './notebookTest';
import { expectAccessible, expectNoOverflow } from './pageRules';
import { tinySpec } from './tinySpec';

/** Long enough to change something in the middle of it. */
const spec: ExperimentSpec = { ...tinySpec, title: 'Steered', iterations: 150, backend: 'cpu' };

async function openSteer(notebook: NotebookPage): Promise<Locator> {
  await notebook.page.getByRole('heading', { name: 'Steer', exact: true }).click();
  return notebook.page.locator('.steer');
}

/** Runs to a pause in the middle. */
async function pausedRun(notebook: NotebookPage, of: ExperimentSpec = spec): Promise<Locator> {
  await notebook.openSpec(of);
  const steer = await openSteer(notebook);
  await notebook.run.click();
  await notebook.started();
  await notebook.button('Pause').click();
  await expect(notebook.phase('Paused')).toBeVisible();
  return steer;
}

async function saved(notebook: NotebookPage, label: string): Promise<Uint8Array> {
  const { page } = notebook;
  await page.locator('.downloads summary').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: new RegExp(`^${label}`) }).click(),
  ]);
  return readFile(await download.path());
}

/** Line and label, spoken summary and table tell of a change. */
async function expectDrawn(notebook: NotebookPage, sentence: string): Promise<void> {
  const { page } = notebook;
  const chart = page.getByRole('figure', { name: 'Gradient norm' }).first();
  await expect(chart.locator('.chart-changes text').first()).toContainText('Learning rate → 0.02');
  await expect(chart.locator('.metric-plot').first()).toHaveAccessibleDescription(
    new RegExp(
      `Changed while running: Learning rate .+ ${sentence.slice(sentence.indexOf('in all'))}`,
    ),
  );
  await notebook.tableRows('Gradient norm', 'Gradient norm of solver');
  const table = page.getByRole('region', { name: 'Table of Gradient norm of solver' });
  await expect(table).toContainText(sentence);
}

/** Summary and archive hold it. */
async function expectExported(
  notebook: NotebookPage,
  logged: Intervention,
  sentence: string,
): Promise<void> {
  const text = new TextDecoder().decode(await saved(notebook, 'Summary'));
  expect(JSON.parse(text)).toMatchObject({
    interventions: [{ ...logged, by: 'user' }],
    spec: { interventions: [logged] },
  });
  const archive = parseArchive(new Uint8Array(await saved(notebook, 'Archive')));
  if (!archive.ok) throw new Error(archive.issues[0]?.message);
  expect(archive.value.events).toEqual([
    {
      iteration: logged.iteration - 1,
      kind: 'intervention',
      detail: expect.stringContaining(sentence) as unknown,
    },
  ]);
}

test('a change made while the run goes on is acknowledged, drawn, exported and in the link, and the run of that link has equal rows', async ({
  notebook,
}) => {
  test.setTimeout(240_000);
  const { page } = notebook;
  const steer = await pausedRun(notebook);
  const { iteration } = await notebook.progress();
  const form = steer.getByRole('form', { name: 'Change a setting' });
  await form.getByLabel('New value').fill('0.02');
  await form.getByRole('button', { name: 'Apply before the next iteration' }).click();
  await expect(steer.getByRole('region', { name: 'Commands' })).toContainText(
    'Learning rate → 0.02 in all arms waits until the run goes on',
  );
  await notebook.button('Step').click();
  const sentence = `→ 0.02 in all arms from iteration ${iteration + 1}`;
  await expect(notebook.announcement).toContainText(/Changed: Learning rate|Paused/);
  const made = steer.getByRole('region', { name: 'Changes made' });
  await expect(made).toContainText(sentence);
  await expect(steer.getByRole('region', { name: 'Commands' })).toBeHidden();
  await notebook.button('Resume').click();
  await notebook.finished();
  await expectDrawn(notebook, sentence);
  const logged = {
    iteration: iteration + 1,
    arm: null,
    path: 'policies.*.optimizer.learningRate',
    value: 0.02,
  };
  await expectExported(notebook, logged, sentence);
  const rows = await notebook.rows();
  // The notebook has followed: its link is that of the run, and nothing is stale.
  await expect(page.locator('.stale-mark')).toHaveCount(0);
  await expect.poll(() => decodeShareLink(new URL(page.url()).hash).ok).toBe(true);
  await expect
    .poll(() => {
      const link = decodeShareLink(new URL(page.url()).hash);
      return link.ok ? link.spec.interventions : null;
    })
    .toEqual([logged]);
  const address = new URL(page.url()).hash;
  await page.goto('about:blank');
  await notebook.open(address);
  await expect(page.getByRole('region', { name: 'Changes while running' })).toContainText('0.02');
  await notebook.runToEnd();
  expect(await notebook.rows()).toEqual(rows);
  const status = await page.evaluate(() => window.marlbook.status());
  expect(status.interventions).toMatchObject([{ ...logged, by: 'spec' }]);
});

test('a change is made and refused by keyboard and by console, and asked what if not', async ({
  notebook,
}) => {
  test.setTimeout(240_000);
  const { page } = notebook;
  const steer = await pausedRun(notebook);
  const form = steer.getByRole('form', { name: 'Change a setting' });
  await form.getByLabel('In', { exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(form.getByLabel('New value')).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('11');
  // The form's own words, before anything is sent.
  await expect(form).toContainText('11 came, expected a number from 0 to 10.');
  await page.keyboard.press('Enter');
  await expect(steer.getByRole('region', { name: 'Commands' })).toBeHidden();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('0.01');
  await page.keyboard.press('Enter');
  await expect(steer.getByRole('region', { name: 'Commands' })).toContainText(
    'Learning rate → 0.01 in arm global waits',
  );
  const refused = page.evaluate(() =>
    window.marlbook.intervene({ arm: null, path: 'groups.groupSize', value: 8 }),
  );
  await expect(steer.getByRole('region', { name: 'Commands' })).toContainText('waits');
  await notebook.button('Step').click();
  expect(await refused).toMatchObject({ ok: false });
  await expect(steer.getByRole('region', { name: 'Commands' })).toContainText(
    'refused. groups.groupSize came, which cannot change while a run goes on.',
  );
  const made = steer.getByRole('region', { name: 'Changes made' });
  await expect(made).toContainText('in arm global from iteration');
  await made.getByRole('button', { name: /^What if not/ }).focus();
  await page.keyboard.press('Enter');
  await expect(notebook.announcement).toContainText('Steered without the change at iteration');
  const other = notebook.cell(/Experiment cell: Steered without the change/);
  await expect(other).toBeVisible();
  await expect(notebook.phase('Paused')).toHaveCount(0);
});

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test('axe finds nothing in the panel and its drawing, and it fits narrow screens', async ({
      notebook,
    }) => {
      test.setTimeout(240_000);
      const { page } = notebook;
      const steer = await pausedRun(notebook);
      for (const value of [0.02, 0.01])
        await page.evaluate((next) => {
          void window.marlbook.intervene({
            arm: null,
            path: 'policies.*.optimizer.learningRate',
            value: next,
          });
        }, value);
      await notebook.button('Step').click();
      await expect(steer.getByRole('region', { name: 'Changes made' })).toContainText('→ 0.01');
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await page.mouse.move(0, 0);
        await expectAccessible(page, '.steer');
        await expectNoOverflow(page);
        await page.screenshot({ path: test.info().outputPath(`steer-${width}.png`) });
      }
      await expect(page.locator('.chart-changes path').first()).toBeAttached();
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.locator('.metric-chart').first().scrollIntoViewIfNeeded();
      await page.screenshot({ path: test.info().outputPath('chart.png') });
    });
  });
