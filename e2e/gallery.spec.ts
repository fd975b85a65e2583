import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { MetricRow } from '../src/metrics/catalog';
import { parseNotebookFile } from '../src/notebook/notebookFile';
import { recordedSeries, type RunRecording } from '../src/notebook/recording';
import { projectFolder } from './commands/project.mjs';
import { test } from './notebookTest';
import { expectAccessible } from './pageRules';
import { spikingSpec } from './tinySpec';

const experiment = 'team';

function recordedTour(): RunRecording {
  const path = join(projectFolder, 'public', 'notebooks', 'tour.json');
  const parsed = parseNotebookFile(JSON.parse(readFileSync(path, 'utf8')));
  const recording = parsed.ok ? parsed.recordings.get(experiment) : undefined;
  if (recording === undefined) throw new Error('The tour has no recording.');
  return recording;
}

/** Every number of `rows` by its place, of the metrics that a recording keeps. */
function numbersOf(rows: readonly MetricRow[], metrics: ReadonlySet<string>): Map<string, number> {
  return new Map(
    rows.flatMap(({ arm, seed, agent, iteration, values }) =>
      Object.entries(values)
        .filter(([metric]) => metrics.has(metric))
        .map(
          ([metric, value]) => [`${arm} ${seed} ${agent} ${iteration} ${metric}`, value] as const,
        ),
    ),
  );
}

test('a visitor sees the first notebook with its recorded results, and Run makes them again', async ({
  notebook,
}) => {
  // Ten small runs on the processor.
  test.setTimeout(600_000);
  const { page } = notebook;
  await page.goto(notebook.url);
  await expect(page.getByRole('heading', { level: 1, name: 'A first tour' })).toBeVisible();
  await expect(page.getByText(/^Recorded on \d{4}-\d\d-\d\d/)).toBeVisible();
  await expect(notebook.cell(/^Claim cell/).first()).toContainText(/Reproduced|Not reproduced/);
  await notebook.run.click();
  await expect(page.getByText(/^Recorded on/)).toHaveCount(0);
  await expect(notebook.phase('Finished')).toBeVisible({ timeout: 540_000 });
  await expect(notebook.cell(/^Claim cell/).first()).toContainText(/Reproduced|Not reproduced/);
  const recording = recordedTour();
  const metrics = new Set<string>(recording.metrics);
  const again = numbersOf(await notebook.rows(), metrics);
  const recorded = numbersOf(recordedSeries(recording).rows, metrics);
  expect([...again.keys()].toSorted()).toEqual([...recorded.keys()].toSorted());
  // The functions behind exp and log belong to the browser: only the one that recorded promises equal numbers.
  const isSameBrowser =
    recording.versions.browser === `Chromium ${page.context().browser()?.version()}`;
  const different = [...again].filter(([place, value]) => !Object.is(recorded.get(place), value));
  expect(isSameBrowser ? different : []).toEqual([]);
});

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test('axe finds nothing in any kind of cell', async ({ notebook }) => {
      const { page } = notebook;
      await page.goto(notebook.url);
      const cells = page.getByRole('group', { name: / cell: / });
      await expect(cells).toHaveCount(15);
      for (const kind of ['Text', 'Experiment', 'Chart', 'Comparison', 'Claim', 'Rollouts'])
        await expect(notebook.cell(new RegExp(`^${kind} cell`)).first()).toBeVisible();
      await expect(page.locator('.katex').first()).toBeVisible();
      await expectAccessible(page, '.cells');
    });
  });

test('a spike opens its batch, the group that weighed most, and lands on a rollout of it', async ({
  notebook,
}) => {
  const { page } = notebook;
  await notebook.openSpec(spikingSpec);
  await notebook.runToEnd();
  const arms = notebook.cell('Comparison cell: The arms at a glance');
  await arms.getByRole('heading', { name: 'Spikes' }).click();
  // An agent under the pointer dims the others.
  await page.mouse.move(0, 0);
  const spike = arms.getByRole('region', { name: 'Spikes' }).getByRole('button', { name: /open$/ });
  await spike.first().focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Spike' });
  // Escape leads back to where one was.
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(spike.first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('heading', { name: /^Spike of / })).toBeFocused();
  const shares = dialog.getByRole('region', { name: 'Groups of the batch' });
  await expect(shares.getByRole('row').nth(1)).toBeVisible();
  await expect(dialog.getByRole('heading', { name: /^Rollouts of task/ })).toBeVisible();
  await expectAccessible(page, '.spike-dialog');
  await dialog.getByRole('button', { name: 'Open in Rollouts' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(notebook.cell('Rollouts cell: Episodes')).toBeFocused();
  await expect(notebook.episodes.first()).toBeVisible();
  await expect(notebook.episodeFilter('Iteration')).not.toHaveValue('latest');
});
