import { expect } from '@playwright/test';
import { test } from './notebookTest';
import { expectAccessible } from './pageRules';
import { tinySpec } from './tinySpec';

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test('a setting says what it means here, a metric what its latest value is made of', async ({
      notebook,
    }) => {
      const { page } = notebook;
      await notebook.openSpec(tinySpec);
      await notebook.setting('Groups', 'Group size');
      const aboutSize = page.getByRole('button', { name: 'About Group size' });
      await aboutSize.focus();
      const size = page.locator('.help-text:not([data-side="closed"]) .help-now');
      await expect(size).toContainText(
        'Here: An iteration has 2 tasks × 4 rollouts = 8 trajectories',
      );
      await notebook.set('Groups', 'Group size', '8');
      await aboutSize.focus();
      await expect(size).toContainText('2 tasks × 8 rollouts = 16 trajectories');
      const aboutSuccess = page.getByRole('button', { name: 'About Success' });
      await aboutSuccess.focus();
      const success = page.getByRole('region', { name: 'Success in numbers' });
      await expect(success).toContainText('With the first iteration the formula stands here');
      await notebook.runToEnd();
      await page.getByRole('button', { name: 'Reset', exact: true }).focus();
      await aboutSuccess.focus();
      const [row] = (await notebook.rows())
        .filter(
          ({ arm, seed, agent, values }) =>
            arm === 'global' && seed === 0 && agent === 'team' && 'success' in values,
        )
        .toReversed();
      // 2 tasks × 8 rollouts.
      const solved = row!.values.success! * 16;
      await expect(success).toContainText(`solved/(P·G) = ${solved} / 16 = `);
      await expect(success).toContainText('in iteration 6, arm global, seed 0');
      await expectAccessible(page, '.help-text:not([data-side="closed"])');
    });
  });
