import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * axe finds nothing to object to under `part` (a CSS selector), by the WCAG 2.2 AA rules and its best practices.
 * @param minRules so many of its rules found something to look at: more than 20 on the whole page, fewer on a part of it
 */
export async function expectAccessible(
  page: Page,
  part = 'html',
  minRules = part === 'html' ? 21 : 1,
): Promise<void> {
  const { violations, passes } = await new AxeBuilder({ page }).include(part).analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
  expect(found).toEqual([]);
  expect(passes.length).toBeGreaterThanOrEqual(minRules);
}

/** Nothing is cut off at the side. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(page.viewportSize()!.width);
}
