import { expect, type Locator, type Page } from '@playwright/test';
import { presets } from '../src/config/presets';
import { test } from './notebookTest';
import { expectAccessible } from './pageRules';
import { tinySpec } from './tinySpec';

/** The graph of the team, which is also the legend. */

function agentNode(page: Page, name: string): Locator {
  return page.getByRole('figure', { name: 'Team' }).getByRole('button', { name, exact: true });
}

/** How much of an element is to be seen: its opacity times that of all it stands in. 1 = all. */
function visibleShare(element: Locator): Promise<number> {
  return element.evaluate((start) => {
    let share = 1;
    for (let at: Element | null = start; at !== null; at = at.parentElement)
      share *= Number(getComputedStyle(at).opacity);
    return share;
  });
}

async function expectDimmed(elements: readonly Locator[]): Promise<void> {
  for (const element of elements)
    await expect.poll(() => visibleShare(element), { message: String(element) }).toBeLessThan(0.5);
}

async function expectClear(elements: readonly Locator[]): Promise<void> {
  for (const element of elements)
    await expect.poll(() => visibleShare(element), { message: String(element) }).toBe(1);
}

test('arrow keys walk along the edges, Enter pins an agent and Escape releases it', async ({
  notebook,
}) => {
  await notebook.open();
  const { page } = notebook;
  const router = agentNode(page, 'router');
  const search = agentNode(page, 'search');
  const answer = agentNode(page, 'answer');
  await router.focus();
  await page.keyboard.press('ArrowRight');
  await expect(search).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(router).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(answer).toBeFocused();
  // No edge leads further.
  await page.keyboard.press('ArrowRight');
  await expect(answer).toBeFocused();
  await expectDimmed([router, search]);

  await page.keyboard.press('Enter');
  await expect(answer).toHaveAttribute('aria-pressed', 'true');
  await notebook.run.focus();
  await expectDimmed([router, search]);
  await expectClear([answer]);
  await page.keyboard.press('Escape');
  await expect(answer).toHaveAttribute('aria-pressed', 'false');
  await expectClear([router, search, answer]);
});

test('the graph is described: who begins, who hands over to whom, who shares a policy', async ({
  notebook,
}) => {
  const { spec } = presets['route-search-answer'];
  const { router, search } = spec.policies;
  await notebook.openSpec({
    ...spec,
    agents: { ...spec.agents, answer: { policy: 'search' } },
    policies: { router: router!, search: { ...search!, isFrozen: true } },
  });
  const team = notebook.page.getByRole('figure', { name: 'Team' });
  await expect(team).toHaveAccessibleDescription(
    /router begins.*router hands over to search \(look up\) and answer \(reply\).*search and answer share the frozen policy search/,
  );
  await expect(team.getByText('frozen policy search', { exact: true })).toBeVisible();
  await expect(agentNode(notebook.page, 'search')).toHaveAccessibleDescription(
    /Called by router\. Its policy is search, shared with answer, frozen\./,
  );
});

test('an agent that is pointed at stands out in the graph, the charts and the table', async ({
  notebook,
}) => {
  await notebook.openSpec(tinySpec);
  await notebook.runToEnd();
  const { page } = notebook;
  const partsOf = (agent: string): readonly Locator[] => [
    agentNode(page, agent),
    page.getByRole('application', { name: `Gradient norm of ${agent}` }),
    page.getByRole('columnheader', { name: agent, exact: true }),
  ];
  await expectClear([...partsOf('solver'), ...partsOf('verifier')]);
  await agentNode(page, 'solver').hover();
  await expectDimmed(partsOf('verifier'));
  await expectClear(partsOf('solver'));

  await agentNode(page, 'verifier').click();
  await notebook.run.hover();
  await expectDimmed(partsOf('solver'));
  await expectClear(partsOf('verifier'));
  await agentNode(page, 'solver').focus();
  await expectDimmed(partsOf('verifier'));
  await notebook.run.focus();
  await expectDimmed(partsOf('solver'));
  await agentNode(page, 'verifier').click();
  await notebook.run.hover();
  await notebook.run.focus();
  await expectClear([...partsOf('solver'), ...partsOf('verifier')]);
});

test('norms, spikes and turns come while nothing moves', async ({ notebook }) => {
  await notebook.openSpec(tinySpec);
  const nodes = ['solver', 'verifier'].map((name) => agentNode(notebook.page, name));
  // Inside the graph: notices above it come and go.
  const boxes = async (): Promise<unknown[]> => {
    const frame = (await notebook.page.getByRole('figure', { name: 'Team' }).boundingBox())!;
    const found = await Promise.all(nodes.map((node) => node.boundingBox()));
    return found.map((box) => [box!.x - frame.x, box!.y - frame.y, box!.width, box!.height]);
  };
  const before = await boxes();
  await expect(nodes[0]!).toContainText('own policy');
  await notebook.runToEnd();
  for (const node of nodes) {
    // Each acts once in an episode.
    await expect(node).toContainText(/1\.00 \/ep.*norm \d.*▲ \d/);
    await expect(node).toHaveAccessibleDescription(
      /Arm global: gradient norm \d.* median over its 2 seeds; \d+ spikes? in all seeds; 1\.00 turns per episode\./,
    );
  }
  expect(await boxes()).toEqual(before);
});

test('another preset takes the highlight away with the agent', async ({ notebook }) => {
  await notebook.open();
  await agentNode(notebook.page, 'search').click();
  await notebook.preset('Null control').check();
  await expectClear([agentNode(notebook.page, 'solver'), agentNode(notebook.page, 'verifier')]);
  await notebook.preset('Route, search, answer').check();
  await expect(agentNode(notebook.page, 'search')).toHaveAttribute('aria-pressed', 'false');
});

for (const colorScheme of ['light', 'dark'] as const)
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    test.describe(`in ${colorScheme} colours, ${width} px wide`, () => {
      test.use({ colorScheme, viewport: { width, height } });

      test('axe finds nothing before and after a run, and no node is cut off', async ({
        notebook,
      }) => {
        const policies = { solver: tinySpec.policies['solver']! };
        await notebook.openSpec({
          ...tinySpec,
          agents: { solver: { policy: 'solver' }, verifier: { policy: 'solver' } },
          policies,
        });
        await expectAccessible(notebook.page);
        await notebook.runToEnd();
        // Numbers are drawn only while they are on screen.
        await agentNode(notebook.page, 'solver').scrollIntoViewIfNeeded();
        await expect(agentNode(notebook.page, 'solver')).toContainText('norm');
        await expectAccessible(notebook.page);
        for (const name of ['solver', 'verifier']) {
          const box = await agentNode(notebook.page, name).boundingBox();
          expect(box!.x).toBeGreaterThanOrEqual(0);
          expect(box!.x + box!.width).toBeLessThanOrEqual(width);
          expect(box!.height).toBeGreaterThanOrEqual(24);
        }
      });
    });
