import { expect } from '@playwright/test';
import { chartOf, finishedRun, firstNumber } from './chartPages';
import { test } from './notebookTest';
import { spikingSpec, tinySpec } from './tinySpec';

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
    expect(places).toHaveLength(tinySpec.iterations);
    // 8 episodes an iteration, of two turns each.
    if (x === 'environmentSteps') expect(places).toEqual([16, 32, 48, 64, 80, 96]);
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
  await notebook.openSpec(spikingSpec);
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
  await chart.getByRole('application', { name: 'Gradient norm of search' }).focus();
  await page.keyboard.press('Tab');
  await expect(marks.getByRole('button').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Spike' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(marks.getByRole('button').first()).toBeFocused();

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

test('one move of the pointer over a growing chart shows the iteration under it, in every chart', async ({
  notebook,
}) => {
  const { page } = notebook;
  const iterations = 400;
  await notebook.openSpec({ ...tinySpec, iterations });
  await notebook.run.click();
  await expect
    .poll(() => page.evaluate(() => window.marlbook.status().iteration), { timeout: 240_000 })
    .toBeGreaterThan(80);
  const chart = chartOf(notebook, 'Gradient norm');
  await chart.scrollIntoViewIfNeeded();
  const grid = (await chart.locator('.recharts-cartesian-grid').first().boundingBox())!;
  await page.mouse.move(grid.x + (grid.width * 50) / iterations, grid.y + grid.height / 2);
  const heading = chart.locator('.chart-tooltip').first();
  await expect(heading).toContainText(/iteration \d+/);
  const shown = Number(/iteration (\d+)/.exec((await heading.textContent()) ?? '')?.[1]);
  expect(Math.abs(shown - 50)).toBeLessThanOrEqual(2);
  const other = chartOf(notebook, 'Success');
  const area = (await other.locator('.recharts-cartesian-grid').first().boundingBox())!;
  const cursor = (await other.locator('.recharts-tooltip-cursor').first().boundingBox())!;
  expect(((cursor.x - area.x) / area.width) * iterations).toBeCloseTo(shown, -1);
});
