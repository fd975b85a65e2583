import { expect, type Locator } from '@playwright/test';
import type { ExperimentSpec } from '../src/config/experimentSpec';
import { test } from './notebookTest';
import { expectAccessible, expectNoOverflow } from './pageRules';
import { tinySpec } from './tinySpec';

/** Untrained teams fail often, and a verifier reads what the solver wrote. */
const blamed: ExperimentSpec = {
  ...tinySpec,
  title: 'Blamed',
  iterations: 2,
  evaluation: { every: 2, tasks: 8, greedy: false },
  diagnostics: { ...tinySpec.diagnostics, blame: 'gradNorm', every: 1 },
};

/** `12.0 %` → 12 */
function percentsOf(cells: Locator): Promise<number[]> {
  return cells.evaluateAll((all) => all.map((cell) => Number.parseFloat(cell.textContent ?? '')));
}

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test('a failed episode is told with its blame: who read what of whom, and what each turn answers for', async ({
      notebook,
    }) => {
      const { page, reader, rollouts, episodes, turns } = notebook;
      await notebook.openSpec(blamed);
      await notebook.runToEnd();
      await notebook.episodeFilter('Outcome').selectOption('Failed');
      await episodes.first().click();
      const graph = reader.getByRole('figure', { name: /^Blame of the failure by gradient norms/ });
      await expect(graph.getByRole('region', { name: 'Blame graph' })).toBeVisible();
      await graph.getByText('Blame as a table').click();
      const table = graph.getByRole('table');
      const shares = table.getByRole('row').getByRole('cell').last();
      await expect(shares).toHaveText(/^\d+(\.\d+)? %$/);
      const numTurns = await turns.count();
      expect(numTurns).toBeGreaterThan(1);
      await expect(table.getByRole('row').last()).toContainText(/turn 1 \(solver\) \d/);
      await expect(table.getByRole('rowheader')).toHaveCount(numTurns);
      const told = await percentsOf(table.locator('tbody td:last-child'));
      // Each is rounded to a tenth of a per cent.
      expect(told.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 0);
      await expect(turns.first()).toContainText(/blame\s*\d/);
      await expect(reader).toContainText(/Mean over \d+ blamed episodes? of iteration 2/);
      // What was read tells its influence on focus, and is reached by keyboard.
      await expect(
        turns
          .last()
          .getByText(/of the influence/)
          .first(),
      ).toBeAttached();
      await page.mouse.move(0, 0);
      await expectAccessible(page, '.rollouts');
      await page.setViewportSize({ width: 390, height: 844 });
      await expectNoOverflow(page);
      await rollouts.screenshot({ path: test.info().outputPath(`blame-390-${colorScheme}.png`) });
      await page.setViewportSize({ width: 1440, height: 900 });
      await rollouts.screenshot({ path: test.info().outputPath(`blame-1440-${colorScheme}.png`) });
      // A solved one has nobody to blame.
      await notebook.episodeFilter('Outcome').selectOption('Solved');
      if ((await episodes.count()) > 0) {
        await episodes.first().click();
        await expect(reader.getByRole('figure', { name: /^Blame/ })).toHaveCount(0);
      }
    });
  });

test('a failed episode without blame says how to measure it', async ({ notebook }) => {
  await notebook.openSpec({ ...tinySpec, iterations: 1 });
  await notebook.runToEnd();
  await notebook.episodeFilter('Outcome').selectOption('Failed');
  await notebook.episodes.first().click();
  await expect(notebook.reader).toContainText('switch on Blame under Diagnostics');
});
