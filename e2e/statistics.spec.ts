import { expect } from '@playwright/test';
import { test } from './notebookTest';
import { expectAccessible, expectNoOverflow } from './pageRules';
import { tinySpec } from './tinySpec';

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test('the arms are compared with intervals, N and a warning below five seeds; axe finds nothing', async ({
      notebook,
    }) => {
      const { page } = notebook;
      await notebook.openSpec({ ...tinySpec, seeds: [0, 1, 2] });
      await page.getByRole('heading', { name: 'Statistics' }).click();
      await expect(page.getByText('Statistics begin with the first iteration.')).toBeVisible();
      await notebook.runToEnd();
      const table = page.getByRole('region', { name: 'Table of Statistics' });
      const [baseline, other] = tinySpec.arms;
      const row = (name: string) =>
        table.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
      await expect(row(baseline!.name).getByRole('cell').first()).toContainText(
        '3 Fewer than 5 seeds',
      );
      await expect(row(other!.name).getByRole('cell').nth(1)).toHaveText(/^\S+ \[\S+, \S+\]$/);
      await expect(row(baseline!.name).getByRole('cell').nth(5)).toHaveText('–');
      await expect(row(other!.name).getByRole('cell').nth(5)).toHaveText(/\[/);
      await page.getByLabel('Compared with').selectOption(other!.name);
      await expect(row(other!.name).getByRole('cell').nth(5)).toHaveText('–');

      // The mean in the table is that of the logged numbers.
      await page.getByLabel('Score', { exact: true }).selectOption('success');
      const rows = await page.evaluate(() => window.marlbook.rows(0));
      const last = [0, 1, 2].map(
        (seed) =>
          rows.findLast(
            (entry) =>
              entry.arm === other!.name &&
              entry.seed === seed &&
              entry.values.success !== undefined,
          )!.values.success!,
      );
      const mean = (last[0]! + last[1]! + last[2]!) / 3;
      const shown = await row(other!.name).getByRole('cell').nth(2).textContent();
      expect(Number.parseFloat(shown!)).toBeCloseTo(mean, 2);
      await expect(
        page.getByRole('figure', { name: 'Share of seeds that score above' }),
      ).toBeVisible();

      for (const viewport of [
        { width: 1440, height: 900 },
        { width: 390, height: 844 },
      ]) {
        await page.setViewportSize(viewport);
        await table.scrollIntoViewIfNeeded();
        await expectAccessible(page, '.statistics', 11);
        await expectNoOverflow(page);
      }
    });
  });
