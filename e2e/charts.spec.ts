import { expect } from '@playwright/test';
import { finishedRun, firstNumber } from './chartPages';
import { test } from './notebookTest';
import { expectAccessible, expectNoOverflow } from './pageRules';
import { tinySpec } from './tinySpec';

test('what the line and the band are is chosen for all charts, and said in the tables and the caption', async ({
  notebook,
}) => {
  const chart = await finishedRun(notebook);
  const { page } = notebook;
  const all = page.getByRole('group', { name: 'All charts' });
  const table = chart.getByRole('region', { name: /^Table of/ }).first();
  await expect(table).toContainText('median [min – max] over seeds');
  for (const [option, caption, sentence] of [
    ['std', 'mean [± std] over seeds', 'one standard deviation'],
    ['stderr', 'mean [± stderr] over seeds', 'one standard error'],
    ['bootstrap', 'mean [bootstrap 95 %] over seeds', 'resampling seeds'],
    ['seeds', 'median [min – max] over seeds', 'thin ones are single seeds'],
  ] as const) {
    await all.getByLabel('Seeds').selectOption(option);
    await expect(table).toContainText(caption);
    await expect(page.getByText(sentence)).toBeVisible();
  }
});

test('a smoothed line is said to be smoothed, by keyboard, and going back gives the logged numbers', async ({
  notebook,
}) => {
  const chart = await finishedRun(notebook);
  const table = chart.getByRole('region', { name: /^Table of/ }).first();
  const last = table.getByRole('row').last().getByRole('cell').first();
  const raw = await last.textContent();
  await chart.getByRole('button', { name: 'View' }).press('Enter');
  const slider = chart.getByRole('slider', { name: 'Smoothing' });
  await slider.focus();
  for (let step = 0; step < 7; step++) await notebook.page.keyboard.press('ArrowRight');
  await expect(table).toContainText('smoothed by 0.9');
  await expect(last).not.toHaveText(raw!);
  await notebook.page.keyboard.press('Home');
  await expect(last).toHaveText(raw!);
});

test('the difference to an arm is that of the paired seeds, and the arm itself is not in it', async ({
  notebook,
}) => {
  const chart = await finishedRun(notebook);
  const table = chart.getByRole('region', { name: /^Table of/ }).first();
  const [baseline] = tinySpec.arms;
  await chart.getByRole('button', { name: 'View' }).click();
  await chart.getByLabel('Difference to').selectOption(baseline!.name);
  await expect(table.getByRole('columnheader', { name: baseline!.name })).toHaveCount(0);
  const rows = await notebook.page.evaluate(() => window.marlbook.rows(0));
  const agent = (await table.getAttribute('aria-label'))!.split(' ').at(-1);
  const other = tinySpec.arms[1]!.name;
  const normOf = (arm: string, seed: number): number =>
    rows.find(
      (row) => row.arm === arm && row.seed === seed && row.agent === agent && row.iteration === 2,
    )!.values.gradNorm!;
  const differences = [0, 1, 2]
    .map((seed) => normOf(other, seed) - normOf(baseline!.name, seed))
    .toSorted((a, b) => a - b);
  const shown = table
    .getByRole('row')
    .filter({ has: notebook.page.getByRole('rowheader', { name: '2', exact: true }) });
  const cell = shown.getByRole('cell').first();
  await expect(cell).toHaveText(/\[/);
  expect(await firstNumber(cell)).toBeCloseTo(differences[1]!, 2);
});

test('a part of the axis is shown by its numbers or by dragging, and all of it again', async ({
  notebook,
}) => {
  const chart = await finishedRun(notebook);
  const table = chart.getByRole('region', { name: /^Table of/ }).first();
  const iterations = () => table.getByRole('rowheader').allTextContents();
  const all = await iterations();
  await chart.getByRole('button', { name: 'View' }).click();
  await chart.getByLabel('From iteration').fill('2');
  await expect.poll(iterations).toEqual(all.slice(all.indexOf('2')));
  await chart.getByLabel('to', { exact: true }).fill('3');
  await expect.poll(iterations).toEqual(['2', '3']);
  await chart.getByRole('button', { name: 'Show all' }).first().click();
  await expect.poll(iterations).toEqual(all);

  await chart.getByRole('button', { name: 'Table' }).click();
  const plot = chart.getByRole('application').first();
  const box = (await plot.boundingBox())!;
  const y = box.y + box.height / 2;
  await notebook.page.mouse.move(box.x + box.width * 0.3, y);
  await notebook.page.mouse.down();
  await notebook.page.mouse.move(box.x + box.width * 0.6, y, { steps: 6 });
  await notebook.page.mouse.up();
  await chart.getByRole('button', { name: 'Table' }).click();
  await expect.poll(async () => (await iterations()).length).toBeLessThan(all.length);
});

test('over tokens the rows are those that were learned from', async ({ notebook }) => {
  const chart = await finishedRun(notebook);
  await notebook.page
    .getByRole('group', { name: 'All charts' })
    .getByLabel('Over')
    .selectOption('tokens');
  const table = chart.getByRole('region', { name: /^Table of/ }).first();
  await expect(table.getByRole('columnheader', { name: 'tokens' })).toBeVisible();
  const rows = await notebook.page.evaluate(() => window.marlbook.rows(0));
  const tokens = rows
    .filter(
      (row) => row.iteration === 1 && row.agent === 'team' && row.arm === tinySpec.arms[0]!.name,
    )
    .map((row) => row.values.tokenCount!)
    .toSorted((a, b) => a - b);
  const shown = (await table.getByRole('rowheader').allTextContents()).map(Number);
  expect(shown).toContain(tokens[1]);
});

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test('axe finds nothing in a chart with its settings open', async ({ notebook }) => {
      const chart = await finishedRun(notebook);
      await chart.getByRole('button', { name: 'View' }).click();
      await chart.getByLabel('Clip the axis').check();
      for (const viewport of [
        { width: 1440, height: 900 },
        { width: 390, height: 844 },
      ]) {
        await notebook.page.setViewportSize(viewport);
        await expectAccessible(notebook.page, '.cell-grid', 11);
        await expectNoOverflow(notebook.page);
      }
    });
  });
