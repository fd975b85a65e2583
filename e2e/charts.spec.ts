import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Locator } from '@playwright/test';
import type { NotebookPage } from './notebookPage';
import { test } from './notebookTest';
import { tinySpec } from './tinySpec';

function chartOf({ page }: NotebookPage, title: string): Locator {
  return page.getByRole('figure', { name: title, exact: true });
}

/** A finished run with its gradient norms as a table. */
async function finishedRun(notebook: NotebookPage): Promise<Locator> {
  await notebook.openSpec({ ...tinySpec, seeds: [0, 1, 2] });
  await notebook.runToEnd();
  const chart = chartOf(notebook, 'Gradient norm');
  await chart.getByRole('button', { name: 'Table' }).click();
  return chart;
}

/** The first number of a cell such as `1.20 [1.00, 1.40]`. */
async function firstNumber(cell: Locator): Promise<number> {
  return Number.parseFloat((await cell.textContent()) ?? '');
}

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

test('over a metric a row has both values of an iteration, and the axis is named after it', async ({
  notebook,
}) => {
  const chart = await finishedRun(notebook);
  await chart.getByRole('button', { name: 'View' }).click();
  await chart.getByLabel('Over').selectOption({ label: 'metric: Entropy' });
  const table = chart.getByRole('region', { name: /^Table of/ }).first();
  const [arm] = tinySpec.arms;
  await expect(table.getByRole('columnheader', { name: `${arm!.name} Entropy` })).toBeVisible();
  const rows = await notebook.page.evaluate(() => window.marlbook.rows(0));
  const agent = (await table.getAttribute('aria-label'))!.split(' ').at(-1);
  const entropies = rows
    .filter((row) => row.iteration === 2 && row.agent === agent && row.arm === arm!.name)
    .map((row) => row.values.entropy!)
    .toSorted((a, b) => a - b);
  const shown = table
    .getByRole('row')
    .filter({ has: notebook.page.getByRole('rowheader', { name: '2', exact: true }) });
  expect(await firstNumber(shown.getByRole('cell').first())).toBeCloseTo(entropies[1]!, 2);
});

test('wall time and environment steps are axes of every chart', async ({ notebook }) => {
  const chart = await finishedRun(notebook);
  const all = notebook.page.getByRole('group', { name: 'All charts' });
  const table = chart.getByRole('region', { name: /^Table of/ }).first();
  for (const [x, name] of [
    ['wallTime', 'seconds'],
    ['environmentSteps', 'env steps'],
  ] as const) {
    await all.getByLabel('Over').selectOption(x);
    await expect(table.getByRole('columnheader', { name })).toBeVisible();
    const places = (await table.getByRole('rowheader').allTextContents()).map(Number);
    expect(places.length).toBeGreaterThan(tinySpec.iterations);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places.at(-1)).toBeGreaterThan(0);
  }
  await chart.getByRole('button', { name: 'View' }).click();
  await chart.getByLabel('Over').selectOption('iteration');
  await expect(all.getByLabel('Over')).toHaveValue('mixed');
});

test('a legend entry hides its line by keyboard and moves no other', async ({ notebook }) => {
  const chart = await finishedRun(notebook);
  const table = chart.getByRole('region', { name: /^Table of/ }).first();
  const [first, second] = tinySpec.arms;
  const numbers = (column: number): Promise<string[]> =>
    table.locator(`tbody td:nth-of-type(${column})`).allTextContents();
  const before = await numbers(2);
  await chart.getByRole('button', { name: first!.name }).press('Enter');
  await expect(table.getByRole('columnheader', { name: first!.name })).toHaveCount(0);
  await expect(table.getByRole('columnheader', { name: second!.name })).toBeVisible();
  expect(await numbers(1)).toEqual(before);
  await expect(chart.getByRole('button', { name: first!.name })).toHaveAttribute(
    'aria-pressed',
    'false',
  );
});

test('points are pinned in all charts by pointer and keyboard, compared, and taken away', async ({
  notebook,
}) => {
  const chart = await finishedRun(notebook);
  const { page } = notebook;
  await chart.getByRole('button', { name: 'Table' }).click();
  const plot = chart.getByRole('application').first();
  const box = (await plot.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2, { steps: 3 });
  // The values under the pointer, with N.
  const values = chart.locator('.chart-tooltip').first();
  await expect(values.getByRole('columnheader', { name: 'N', exact: true })).toBeVisible();
  await expect(values.getByRole('row').nth(1).getByRole('cell').last()).toHaveText('3');
  await page.mouse.down();
  await page.mouse.up();
  const pinned = page.getByRole('table', { name: /^Pinned points of Gradient norm of/ }).first();
  await expect(pinned.getByRole('rowheader')).toHaveText(/^1: \d$/);
  await expect(page.getByRole('table', { name: 'Pinned points of Success' })).toBeVisible();

  await page.mouse.move(2, 2);
  await plot.focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter'])
    await page.keyboard.press(key);
  await expect(pinned.getByRole('rowheader')).toHaveCount(2);
  await expect(pinned.getByTitle('Since pin 1').first()).toHaveText(/^[+−\d]/);
  await page.keyboard.press('Escape');
  await expect(pinned.getByRole('rowheader')).toHaveCount(1);
  await pinned.getByRole('button', { name: 'Remove pin 1' }).click();
  await expect(pinned).toHaveCount(0);
});

test('a plot is described in words, which can be read under it too', async ({ notebook }) => {
  const chart = await finishedRun(notebook);
  await chart.getByRole('button', { name: 'Table' }).click();
  const words = new RegExp(
    `^Gradient norm of solver over ${tinySpec.iterations} iterations, 3 seeds: .*${tinySpec.arms[0]!.name}: .* at the end, at most .* at iteration \\d, `,
  );
  const plot = chart.getByRole('application', { name: 'Gradient norm of solver' });
  await expect(plot).toHaveAccessibleDescription(words);
  await chart.getByRole('button', { name: 'View' }).click();
  await chart.getByLabel('In words').check();
  const paragraph = chart.locator('.chart-words').first();
  await expect(paragraph).toHaveText(words);
  expect((await paragraph.boundingBox())!.height).toBeGreaterThan(14);
});

test('spikes are buttons that the keyboard reaches, on the plot and in a menu', async ({
  notebook,
}) => {
  await notebook.openSpec({ ...tinySpec, iterations: 60 });
  await notebook.runToEnd();
  const { page } = notebook;
  const chart = chartOf(notebook, 'Gradient norm');
  const spikes = chart.getByRole('button', { name: /^Spike of \w+ at iteration \d+: / });
  await expect(spikes.first()).toBeAttached();
  for (const spike of await spikes.all()) {
    const { width, height } = (await spike.boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
  }
  const marks = chart.getByRole('group', { name: /^Marks of/ }).first();
  await chart.getByRole('application').first().focus();
  await page.keyboard.press('Tab');
  await expect(marks.getByRole('button').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Pinned points of Success' })).toBeVisible();
  await page.keyboard.press('Escape');

  const menu = chart.getByText(/^▲ \d+ spikes?$/).first();
  const count = Number.parseInt((await menu.textContent())!.slice(2), 10);
  await menu.press('Enter');
  const listed = menu.locator('..').getByRole('button', { name: /^Spike of/ });
  await expect(listed).toHaveCount(count);
  await page.keyboard.press('Tab');
  await expect(listed.first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();
  await expect(listed.first()).toBeHidden();
});

test('other metrics are found by a word, other agents left out, the size chosen', async ({
  notebook,
}) => {
  const chart = await finishedRun(notebook);
  const { page } = notebook;
  await chart.getByRole('button', { name: 'View' }).click();
  const options = page.getByRole('group', { name: 'View of Gradient norm' });
  await options.getByText('Agents: all').click();
  await options.getByLabel('solver').uncheck();
  await expect(chart.getByRole('region', { name: /^Table of/ })).toHaveCount(1);
  await options.getByLabel('Height').selectOption('large');
  await expect(options.getByLabel('Pixels')).toHaveValue('360');
  await options.getByText('Metrics: 1').click();
  await options.getByLabel('Find a metric').fill('solved task');
  await options.getByLabel('Success', { exact: true }).check();
  await expect(page.getByRole('group', { name: 'View of Success' }).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Table of Success' })).toBeVisible();
});

test('on paper a chart has no buttons and a white ground', async ({ notebook }) => {
  await notebook.page.emulateMedia({ colorScheme: 'dark' });
  const chart = await finishedRun(notebook);
  await chart.getByRole('button', { name: 'Table' }).click();
  await notebook.page.emulateMedia({ media: 'print' });
  await expect(chart.getByRole('button', { name: 'View' })).toBeHidden();
  const ground = await notebook.page.evaluate(
    () => getComputedStyle(document.body).backgroundColor,
  );
  expect(ground).toBe('rgb(255, 255, 255)');
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
        const { violations, passes } = await new AxeBuilder({ page: notebook.page })
          .include('.cell-grid')
          .analyze();
        expect(passes.length).toBeGreaterThan(10);
        expect(violations.map(({ id, nodes }) => `${id}: ${String(nodes[0]?.target)}`)).toEqual([]);
        const width = await notebook.page.evaluate(() => document.documentElement.scrollWidth);
        expect(width).toBeLessThanOrEqual(viewport.width);
      }
    });
  });
