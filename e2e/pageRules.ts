import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** axe finds nothing to object to under `part` (a CSS selector), by the WCAG 2.2 AA rules and its best practices. */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  const { violations, passes } = await new AxeBuilder({ page }).include(part).analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
  expect(found).toEqual([]);
  // Rules were tried at all: the part was there.
  expect(passes.length).toBeGreaterThan(0);
}

/** Nothing is cut off at the side. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const widths = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: innerWidth,
  }));
  expect(widths.content).toBeLessThanOrEqual(widths.window);
}
