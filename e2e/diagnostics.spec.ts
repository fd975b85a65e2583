import { expect } from '@playwright/test';
import type { ExperimentSpec } from '../src/config/experimentSpec';
import { test } from './notebookTest';
import { expectAccessible, expectNoOverflow } from './pageRules';
import { tinySpec } from './tinySpec';

const { solver } = tinySpec.policies;

/** Both agents learn in one policy, on batches that have something to teach, and everything is measured. */
const measured: ExperimentSpec = {
  ...tinySpec,
  title: 'Measured',
  agents: { solver: { policy: 'both' }, verifier: { policy: 'both' } },
  policies: { both: solver! },
  groups: { ...tinySpec.groups, tasksPerIteration: 8, groupSize: 8 },
  diagnostics: {
    counterfactualNorms: true,
    gradientConflict: true,
    gradientConcentration: true,
    blame: 'gradNorm',
    every: 2,
  },
};

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test('gradients measured on top: conflict beside chance, the norms of other normalizers, and nothing else changed', async ({
      notebook,
    }) => {
      const { page } = notebook;
      await notebook.openSpec(measured);
      const arms = notebook.cell('Comparison cell: The arms at a glance');
      await arms.getByRole('heading', { name: 'Gradient conflict' }).click();
      const conflict = arms.getByRole('region', { name: 'Gradient conflict', exact: true });
      await expect(conflict).toContainText('Nothing is measured yet');
      await notebook.runToEnd();
      const matrix = conflict.getByRole('table', { name: /^global: cosines of iteration 6/ });
      const cell = matrix
        .getByRole('row', { name: /^solver/ })
        .getByRole('cell')
        .last();
      await expect(cell).toContainText(/conflict|null band|aligned/);
      await expect(cell).toContainText(/null from .+, median/);
      const rows = await notebook.rows();
      const inUse = rows.filter(({ values }) => 'gradNormInUse' in values);
      // 2 arms × 2 seeds × 2 agents in iterations 2, 4 and 6.
      expect(inUse).toHaveLength(24);
      for (const { arm, values } of inUse)
        expect(values.gradNormInUse).toBe(
          arm === 'global' ? values.gradNormGlobal : values.gradNormAgentWise,
        );
      await page.mouse.move(0, 0);
      await expectAccessible(page, '.conflict');
      await page.setViewportSize({ width: 390, height: 844 });
      await expectNoOverflow(page);
      await page.setViewportSize({ width: 1440, height: 900 });
      // The same run without the measurements learns the same.
      await notebook.openSpec({ ...measured, diagnostics: tinySpec.diagnostics });
      await notebook.runToEnd();
      const plain = new Map(
        (await notebook.rows()).map(({ arm, seed, agent, iteration, values }) => [
          `${arm} ${seed} ${agent} ${iteration}`,
          values,
        ]),
      );
      for (const { arm, seed, agent, iteration, values } of rows)
        expect(values).toMatchObject(plain.get(`${arm} ${seed} ${agent} ${iteration}`) ?? {});
      expect(plain.size).toBe(rows.length);
    });
  });
