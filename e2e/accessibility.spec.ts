import { expect } from '@playwright/test';
import { test } from './notebookTest';
import { expectAccessible, expectNoOverflow } from './pageRules';
import { tinySpec } from './tinySpec';

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test('axe finds nothing before a run, with an invalid field and with a refused link', async ({
      notebook,
    }) => {
      await notebook.open();
      await expect(notebook.page.getByText('No data yet').first()).toBeVisible();
      await expectAccessible(notebook.page);
      await notebook.set('Groups', 'Group size', '0');
      await expect(notebook.run).toBeDisabled();
      await expectAccessible(notebook.page);
      await notebook.open('#v1.broken');
      await expect(notebook.notice('The link was not opened')).toBeVisible();
      await expectAccessible(notebook.page);
    });

    test('axe finds nothing with a recipe, a refused combination and the help on a choice open', async ({
      notebook,
    }) => {
      await notebook.openSpec(tinySpec);
      await notebook.page.getByLabel('Method', { exact: true }).selectOption('DAPO');
      await notebook.page.getByLabel('Arm from a recipe').selectOption('Hierarchical GRPO');
      await (await notebook.setting('Groups', 'Rollouts')).selectOption('tree');
      await expect(notebook.run).toBeDisabled();
      await notebook.setting('Estimator', 'Baseline');
      await notebook.button('About Baseline').focus();
      await expect(
        notebook.page.getByRole('region', { name: 'Options of Baseline' }),
      ).toBeVisible();
      await expectAccessible(notebook.page);
    });

    test('axe finds nothing after a run, as charts and as tables', async ({ notebook }) => {
      await notebook.openSpec(tinySpec);
      await notebook.runToEnd();
      await expect(notebook.page.getByRole('application', { name: 'Success' })).toBeVisible();
      await expectAccessible(notebook.page);
      await expect(await notebook.tableRows('Success', 'Success')).not.toHaveCount(0);
      await expectAccessible(notebook.page);
    });

    test('axe finds nothing on a narrow screen', async ({ notebook }) => {
      await notebook.page.setViewportSize({ width: 390, height: 844 });
      await notebook.openSpec(tinySpec);
      await notebook.runToEnd();
      await expectAccessible(notebook.page);
      await expectNoOverflow(notebook.page);
    });
  });

test('a run can be started and stopped with the keyboard alone', async ({ notebook }) => {
  await notebook.openSpec({ ...tinySpec, iterations: 5000 });
  await notebook.page.getByRole('heading', { level: 1 }).click();
  await notebook.run.focus();
  await notebook.page.keyboard.press('Enter');
  await expect(notebook.button('Pause')).toBeEnabled();
  await notebook.page.keyboard.press('Tab');
  await expect(notebook.button('Pause')).toBeFocused();
  await notebook.page.keyboard.press('Space');
  await expect(notebook.phase('Paused')).toBeVisible();
  await notebook.button('Stop').focus();
  await notebook.page.keyboard.press('Enter');
  await expect(notebook.phase('Stopped')).toBeVisible();
});
