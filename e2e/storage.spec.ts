import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import type { MetricRow } from '../src/metrics/catalog';
import { NotebookPage } from './notebookPage';
import { test } from './notebookTest';
import { longSpec, tinySpec } from './tinySpec';

const offerTitle = /^The notebook “.+” and its run, \d+ of \d+ iterations, were kept$/;

/** The last iteration that the line under the caption says is kept; −1 before there is one. */
async function keptUpTo({ page }: NotebookPage): Promise<number> {
  const text = await page.locator('.storing-full').textContent();
  return Number(/Kept up to iteration (\d+)/.exec(text ?? '')?.[1] ?? -1);
}

/** Runs the long experiment until some iterations of it are kept. */
async function runUntilKept(notebook: NotebookPage, iterations: number): Promise<void> {
  await notebook.openSpec(longSpec);
  await notebook.run.click();
  await expect
    .poll(() => keptUpTo(notebook), { timeout: 90_000 })
    .toBeGreaterThanOrEqual(iterations);
}

/** A small run to its end, with all of it kept. */
async function keepTinyRun(notebook: NotebookPage): Promise<void> {
  await notebook.openSpec(tinySpec);
  await notebook.runToEnd();
  await expect(storing(notebook.page, 'Kept up to iteration 6')).toBeVisible();
}

/** What the line under the caption says, in full or short, as there is room. */
function storing(page: Page, text: string | RegExp) {
  return page.locator('.storing').getByText(text).filter({ visible: true });
}

function list(page: Page) {
  return page.getByRole('dialog', { name: 'Stored runs' });
}

/** Told by a tab that does not keep its notebook. */
function elsewhere(notebook: NotebookPage) {
  return notebook.notice('This notebook is open in another tab, which keeps it');
}

/** What axe objects to, under the WCAG 2.2 AA rules and its best practices. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found, passes } = await new AxeBuilder({ page }).analyze();
  expect(passes.length).toBeGreaterThan(20);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`);
}

test('after a reload in mid-run the run is offered, and opened it has every number that was logged', async ({
  notebook,
}) => {
  const { page } = notebook;
  await runUntilKept(notebook, 20);
  // Of the page that goes, as it goes: the offered run may have more than was asked for here, never other numbers.
  const before = await notebook.rows();
  await page.reload();
  const offer = notebook.notice(offerTitle);
  await expect(offer).toContainText('earlier visit');
  // Offered, not forced.
  await expect(notebook.phase('Not run yet')).toBeVisible();
  await offer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(offer).toBeHidden();
  await expect(notebook.phase('Stopped')).toBeVisible();
  const { iteration } = await notebook.progress();
  expect(iteration).toBeGreaterThanOrEqual(20);
  await expect(
    page.getByText(
      new RegExp(`Kept from .+, stopped at iteration ${iteration} by leaving the page`),
    ),
  ).toBeVisible();
  const after = await notebook.rows();
  const isLogged = (row: MetricRow): boolean => row.iteration <= iteration;
  const common = Math.min(before.length, after.length);
  expect(common).toBeGreaterThanOrEqual(20 * 2 * 2 * 3);
  expect(after.slice(0, common)).toEqual(before.slice(0, common));
  expect(after.filter(isLogged)).toHaveLength(after.length);
  // With its episodes, and in its notebook file.
  await expect.poll(() => notebook.episodes.count()).toBeGreaterThan(0);
});

test('what is left is not offered again, and stays in the list', async ({ notebook }) => {
  const { page } = notebook;
  await keepTinyRun(notebook);
  await page.reload();
  await notebook.notice(offerTitle).getByRole('button', { name: 'Leave it' }).click();
  await expect(notebook.notice(offerTitle)).toBeHidden();
  await page.reload();
  await expect(notebook.run).toBeEnabled();
  await notebook.command('Stored runs');
  await expect(list(page)).toContainText('6 of 6 iterations, finished');
  await expect(notebook.notice(offerTitle)).toBeHidden();
});

test('an edit is kept without a run, and comes back with its notebook', async ({ notebook }) => {
  const { page } = notebook;
  await notebook.open();
  await page.getByRole('textbox', { name: 'Title' }).fill('Kept title');
  await notebook.command('Stored runs');
  // The list is read when it opens: the notebook is there once it was written.
  await expect(async () => {
    await page.keyboard.press('Escape');
    await notebook.command('Stored runs');
    await expect(list(page)).toContainText('Kept title', { timeout: 500 });
  }).toPass();
  await page.keyboard.press('Escape');
  await notebook.open('#new');
  await page.reload();
  await notebook
    .notice('The notebook “Kept title” was kept')
    .getByRole('button', { name: 'Open', exact: true })
    .click();
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Kept title');
});

test('of two tabs on a notebook the first keeps it, and the second takes over when it is asked to or left alone', async ({
  notebook,
  context,
}) => {
  await keepTinyRun(notebook);
  const second = new NotebookPage(await context.newPage(), notebook.url);
  await second.open();
  // What another tab has open is not offered; the list leads to it.
  await second.command('Stored runs');
  await expect(list(second.page)).toContainText('open in another tab');
  await list(second.page)
    .getByRole('button', { name: /^Open Tiny/ })
    .click();
  await expect(elsewhere(second)).toBeVisible();
  expect(await second.rows()).toEqual(await notebook.rows());
  await second.runToEnd();
  await expect(
    storing(second.page, 'Not kept: this notebook is kept by another tab.'),
  ).toBeVisible();

  await elsewhere(second).getByRole('button', { name: 'Keep here instead' }).click();
  await expect(elsewhere(second)).toBeHidden();
  await expect(storing(second.page, 'Kept up to iteration 6')).toBeVisible();
  await expect(elsewhere(notebook)).toBeVisible();

  await second.page.close();
  await expect(elsewhere(notebook)).toBeHidden();
});

test('a window that may not store says so, and trains all the same', async ({ notebook }) => {
  const { page } = notebook;
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
  });
  await notebook.openSpec(tinySpec);
  await notebook.runToEnd();
  await notebook.finished();
  await expect(
    storing(page, 'Not kept: this window may not store anything (private window?).'),
  ).toBeVisible();
  expect((await notebook.rows()).length).toBeGreaterThanOrEqual(2 * 2 * 3 * 6);
  await notebook.command('Stored runs');
  await expect(list(page)).toContainText('this window may not store anything');
});

test('full storage is told with its amounts, nothing moves, and Try again keeps all of the run', async ({
  notebook,
}) => {
  const { page } = notebook;
  await page.addInitScript(() => {
    const descriptor = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, 'put');
    const value = new Proxy(descriptor?.value, {
      apply: (put, store, given) => {
        if ('isFull' in window) throw new DOMException('No room.', 'QuotaExceededError');
        return Reflect.apply(put, store, given);
      },
    });
    Object.defineProperty(IDBObjectStore.prototype, 'put', { ...descriptor, value });
    StorageManager.prototype.estimate = () =>
      Promise.resolve({ usage: 12_000_000, quota: 12_000_000 });
  });
  await runUntilKept(notebook, 3);
  const caption = page.locator('.experiment-tools').first();
  const place = await caption.boundingBox();
  await page.evaluate(() => Object.assign(window, { isFull: true }));
  const problem = storing(
    page,
    /^Not kept: the browser’s storage is full \(12 MB of 12 MB\)\. The run goes on in memory; kept up to iteration \d+\.$/,
  );
  await expect(problem).toBeVisible();
  expect(await caption.boundingBox()).toEqual(place);
  const { iteration } = await notebook.progress();
  await expect
    .poll(async () => (await notebook.progress()).iteration)
    .toBeGreaterThan(iteration + 5);
  await notebook.button('Stop').click();
  await expect(notebook.phase('Stopped')).toBeVisible();
  await page.evaluate(() => Reflect.deleteProperty(window, 'isFull'));
  await notebook.button('Try again').click();
  const done = (await notebook.progress()).iteration;
  await expect(storing(page, `Kept up to iteration ${done}`)).toBeVisible();
  const logged = await notebook.rows();
  await page.reload();
  await notebook.notice(offerTitle).getByRole('button', { name: 'Open', exact: true }).click();
  await expect(notebook.phase('Stopped')).toBeVisible();
  expect(await notebook.rows()).toEqual(logged);
});

test('a damaged database leaves the page alive, is told, and what is whole can still be opened', async ({
  notebook,
}) => {
  const { page } = notebook;
  await keepTinyRun(notebook);
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opened = indexedDB.open('marlbook');
        opened.addEventListener('success', () => {
          const transaction = opened.result.transaction(['notebooks', 'runs'], 'readwrite');
          transaction.objectStore('notebooks').put(7, 'broken');
          transaction.objectStore('runs').put({ spec: null }, 'torn');
          transaction.addEventListener('complete', () => resolve());
        });
      }),
  );
  await page.reload();
  await expect(notebook.notice('What this browser has kept cannot be read')).toContainText(
    'The stored notebook broken cannot be read',
  );
  await notebook.notice(offerTitle).getByRole('button', { name: 'Open', exact: true }).click();
  await expect(notebook.phase('Finished')).toBeVisible();
  await notebook.command('Stored runs');
  await expect(list(page)).toContainText('The stored run torn cannot be read');
});

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1440, 390])
    test.describe(`${width} px wide in ${colorScheme} colours`, () => {
      test.use({ colorScheme, viewport: { width, height: 844 } });

      test('the list is walked and emptied by keyboard, and axe finds nothing', async ({
        notebook,
      }) => {
        test.setTimeout(240_000);
        const { page } = notebook;
        await keepTinyRun(notebook);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
          width,
        );
        const door = notebook.button('Stored runs…');
        await door.focus();
        await page.keyboard.press('Enter');
        await expect(list(page)).toContainText('6 of 6 iterations, finished');
        expect(await violations(page)).toEqual([]);
        const box = await list(page).boundingBox();
        expect(box!.x).toBeGreaterThanOrEqual(0);
        expect(box!.x + box!.width).toBeLessThanOrEqual(width);
        await page.keyboard.press('Escape');
        await expect(list(page)).toBeHidden();
        await expect(door).toBeFocused();

        await page.keyboard.press('Enter');
        const remove = list(page).getByRole('button', { name: /^Delete Tiny/ });
        await remove.focus();
        await page.keyboard.press('Enter');
        await expect(remove).toHaveText('Delete for good?');
        await page.keyboard.press('Escape');
        await expect(remove).toHaveText('Delete');
        await page.keyboard.press('Enter');
        await page.keyboard.press('Enter');
        await expect(list(page)).toContainText('The document alone.');
        await expect(list(page).getByRole('button', { name: 'Close' })).toBeFocused();
        await page.keyboard.press('Escape');
        await expect(storing(page, 'Deleted from what this browser keeps')).toBeVisible();
        // The notebook is still on the page; nothing of it is offered as a run.
        await page.reload();
        await expect(notebook.run).toBeEnabled();
        await expect(notebook.notice(offerTitle)).toBeHidden();
      });
    });
