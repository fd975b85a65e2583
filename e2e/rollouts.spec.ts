import { expect, type Locator } from '@playwright/test';
import type { NotebookPage } from './notebookPage';
import { test } from './notebookTest';
import { expectAccessible, expectNoOverflow } from './pageRules';
import { longSpec, tinySpec } from './tinySpec';

/** Small enough a world that iterations meet in a task: three residues, two operands. */
const recurringSpec = {
  ...tinySpec,
  iterations: 12,
  arms: tinySpec.arms.slice(0, 1),
  seeds: [0],
};

async function afterRun(notebook: NotebookPage, spec = tinySpec): Promise<void> {
  await notebook.openSpec(spec);
  await notebook.runToEnd();
  await expect(notebook.episodes.first()).toBeVisible();
}

test('before a run the section says what it will show', async ({ notebook }) => {
  await notebook.open();
  await expect(notebook.rollouts).toContainText('Run the experiment to see it.');
  await expect(notebook.episodes).toHaveCount(0);
});

test('after one iteration there is nothing to compare with yet', async ({ notebook }) => {
  await afterRun(notebook, { ...tinySpec, iterations: 1 });
  const beside = notebook.rollouts.getByLabel('Beside it');
  await expect(beside).toBeDisabled();
  await expect(beside).toContainText('Only one iteration so far');
});

test('episodes are filtered by arm, seed, outcome, agent and iteration', async ({ notebook }) => {
  await afterRun(notebook);
  const { episodes } = notebook;
  const names = () => episodes.evaluateAll((rows) => rows.map((row) => row.ariaLabel ?? ''));
  // 2 arms × 2 seeds, 8 episodes each of which 6 have a place.
  const latest = await names();
  expect(latest).toHaveLength(24);
  expect(latest.every((name) => name.includes('iteration 6,'))).toBe(true);
  await notebook.episodeFilter('Iteration').selectOption('All kept');
  const all = await names();
  expect(all).toHaveLength(6 * 24);

  for (const [outcome, option] of [
    ['solved', 'Solved'],
    ['failed', 'Failed'],
  ] as const) {
    await notebook.episodeFilter('Outcome').selectOption(option);
    const wanted = all.filter((name) => name.endsWith(outcome));
    // Untrained teams fail often, and solve by luck now and then.
    expect(wanted.length).toBeGreaterThan(0);
    await expect.poll(names).toEqual(wanted);
  }
  await notebook.episodeFilter('Outcome').selectOption('Any');

  const [arm] = tinySpec.arms;
  await notebook.episodeFilter('Arm').selectOption(arm!.name);
  await expect(episodes).toHaveCount(72);
  await notebook.episodeFilter('Seed').selectOption('1');
  await expect(episodes).toHaveCount(36);
  // Both agents take part in every episode.
  await notebook.episodeFilter('Agent').selectOption('verifier');
  await expect(episodes).toHaveCount(36);
  await notebook.episodeFilter('Iteration').selectOption('3');
  await expect(episodes).toHaveCount(6);
  expect((await names()).every((name) => name.includes('iteration 3,'))).toBe(true);
});

test('filters that nothing passes say so, leave what is read alone, and can be cleared', async ({
  notebook,
}) => {
  // Two episodes of one task that end alike.
  await afterRun(notebook, {
    ...recurringSpec,
    iterations: 1,
    groups: { ...tinySpec.groups, tasksPerIteration: 1, groupSize: 2 },
  });
  const { episodes, reader, rollouts } = notebook;
  const title = await reader.getByRole('article').getAttribute('aria-label');
  const isSolved = (await episodes.evaluateAll((rows) => rows.map((row) => row.ariaLabel))).map(
    (name) => name?.endsWith('solved'),
  );
  expect(new Set(isSolved).size).toBe(1);
  await notebook.episodeFilter('Outcome').selectOption(isSolved[0] ? 'Failed' : 'Solved');
  await expect(episodes).toHaveCount(0);
  await expect(rollouts).toContainText('No kept episode passes these filters.');
  await expect(reader.getByRole('article', { name: title ?? '' })).toBeVisible();
  await rollouts.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(episodes).toHaveCount(2);
});

test('an episode is chosen and stepped through with the keyboard alone', async ({ notebook }) => {
  await afterRun(notebook);
  const { episodes, reader, turns, page } = notebook;
  await notebook.episodeFilter('Iteration').focus();
  await page.keyboard.press('Tab');
  await expect(episodes.first()).toBeFocused();
  await expect(episodes.first()).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(episodes.nth(1)).toBeFocused();
  const title = await episodes.nth(1).evaluate((row) => row.ariaLabel ?? '');
  const [episode = ''] = title.split(/, (?:solved|failed)$/);
  await expect(reader.getByRole('article', { name: episode })).toBeVisible();

  // A solver and a verifier at least.
  const numTurns = await turns.count();
  expect(numTurns).toBeGreaterThanOrEqual(2);
  await reader.focus();
  await page.keyboard.press('Home');
  await expect(turns).toHaveCount(1);
  await expect(turns.first()).toHaveAttribute('aria-current', 'step');
  await expect(notebook.announcement).toHaveText(
    new RegExp(`^Turn 1 of ${numTurns}: solver writes .+; reward .+, advantage .+\\.$`),
  );
  await page.keyboard.press('ArrowRight');
  await expect(turns).toHaveCount(2);
  await page.keyboard.press('ArrowLeft');
  await expect(turns).toHaveCount(1);
  await page.keyboard.press('End');
  await expect(turns).toHaveCount(numTurns);
  await expect(notebook.button('One turn forward')).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(notebook.button('Show all')).toBeDisabled();
  await expect(turns).toHaveCount(numTurns);
});

test('every written token tells its log-probability on focus and to screen readers', async ({
  notebook,
}) => {
  await afterRun(notebook);
  const { reader, rollouts, page } = notebook;
  await expect(rollouts.getByText(/^Tint: log-probability of a written token/)).toBeVisible();
  await expect(reader).toContainText(/log-probability −?\d.* nats, probability \d/);
  await reader.focus();
  await page.keyboard.press('Tab');
  await expect(
    rollouts.getByText(/^\S+: log-probability −?\d\S* nats, probability \d/),
  ).toBeVisible();
});

test('two iterations of one task stand side by side', async ({ notebook }) => {
  await afterRun(notebook, recurringSpec);
  const { reader, rollouts, episodes } = notebook;
  await notebook.episodeFilter('Iteration').selectOption('All kept');
  const beside = rollouts.getByLabel('Beside it');
  const count = await episodes.count();
  for (let row = 0; row < count && (await beside.isDisabled()); row++)
    await episodes.nth(row).click();
  await beside.selectOption({ index: 1 });
  await expect(reader.getByRole('article')).toHaveCount(2);
  const starts = await reader.getByText(/^Task/).allTextContents();
  expect(starts[0]).toBe(starts[1]);
});

/** x, y, width, height from the start of the document: the scrolled page itself may snap by a part of a pixel. */
async function placeInDocument(part: Locator): Promise<readonly number[]> {
  return part.evaluate((element) => {
    const box = element.getBoundingClientRect();
    const start = document.querySelector('.cells')!.getBoundingClientRect();
    return [box.x, box.y - start.y, box.width, box.height];
  });
}

for (const width of [1440, 390])
  test(`what is read stays while the run goes on, and the newest comes on request, at ${width} px`, async ({
    notebook,
  }) => {
    await notebook.page.setViewportSize({ width, height: 844 });
    await notebook.openSpec(longSpec);
    await notebook.run.click();
    const { episodes, reader, rollouts } = notebook;
    await episodes.nth(2).click();
    const title = await reader.getByRole('article').getAttribute('aria-label');
    const places = [await placeInDocument(rollouts), await placeInDocument(reader)];
    const newer = rollouts.getByRole('button', { name: /^\d+ newer iterations$/ });
    await expect(newer).toBeVisible();
    expect(await reader.getByRole('article').getAttribute('aria-label')).toBe(title);
    expect([await placeInDocument(rollouts), await placeInDocument(reader)]).toEqual(places);
    await newer.click();
    await expect(episodes.first()).toBeFocused();
    await expect(reader.getByRole('article', { name: title ?? '' })).toHaveCount(0);
    await notebook.button('Stop').click();
    await expect(notebook.phase('Stopped')).toBeVisible();
  });

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    for (const width of [1440, 390])
      test(`axe finds nothing at ${width} px, stepped and side by side, and targets are large enough`, async ({
        notebook,
      }) => {
        await notebook.page.setViewportSize({ width, height: 844 });
        await afterRun(notebook, recurringSpec);
        const { rollouts, reader, episodes, page } = notebook;
        await notebook.episodeFilter('Iteration').selectOption('All kept');
        const beside = rollouts.getByLabel('Beside it');
        const count = await episodes.count();
        for (let row = 0; row < count && (await beside.isDisabled()); row++)
          await episodes.nth(row).click();
        await beside.selectOption({ index: 1 });
        await reader.focus();
        await page.keyboard.press('Home');
        await expectAccessible(page);
        const sizes = await rollouts
          .getByRole('button')
          .or(rollouts.getByRole('combobox'))
          .evaluateAll((targets) => targets.map((target) => target.getBoundingClientRect().height));
        expect(Math.min(...sizes)).toBeGreaterThanOrEqual(24);
        await expectNoOverflow(page);
      });
  });
