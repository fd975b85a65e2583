import { expect } from '@playwright/test';
import { encodeShareLink } from '../src/config/shareLink';
import { installedChromium } from './commands/chromium.mjs';
import { test } from './notebookTest';
import { launchRawChromium, type RawChromium } from './rawChromium';
import { longSpec } from './tinySpec';

let chromium: RawChromium;

test.beforeAll(async () => {
  const path = await installedChromium();
  if (path === null) throw new Error('No Chromium: npm test installs one.');
  chromium = await launchRawChromium(path);
});

test.afterAll(() => chromium.close());

test('with another tab in front the run goes on and the charts catch up afterwards', async ({
  site,
}) => {
  const link = encodeShareLink(longSpec);
  const tab = await chromium.openTab(`${site.url}${link.ok ? link.fragment : ''}`);
  const value = (expression: string) => () => tab.evaluate(expression);
  const iteration = value('window.marlbook.status().iteration');
  await expect.poll(value('typeof window.marlbook')).toBe('object');
  await tab.evaluate('void window.marlbook.run()');
  await expect.poll(iteration).toBeGreaterThan(2);

  await chromium.openTab('about:blank');
  await expect.poll(value('document.visibilityState')).toBe('hidden');
  const before = Number(await iteration());
  // Chromium gives the process of a hidden tab less of the machine.
  await expect.poll(iteration, { timeout: 240_000 }).toBeGreaterThan(before + 10);
  expect(await value('document.visibilityState')()).toBe('hidden');

  await tab.activate();
  await expect.poll(value('document.visibilityState')).toBe('visible');
  // The strip over the charts shows the iterations that passed in the dark.
  const shown = value(`Number(document.body.innerText.match(/(\\d+)\\/5000/)?.[1])`);
  await expect.poll(shown).toBeGreaterThan(before + 10);
  // Every iteration arrived, none twice.
  const gaps = value(`(() => {
    const rows = window.marlbook.rows(0).filter((row) => row.agent === 'team' && row.iteration > 0);
    const own = rows.filter((row) => row.arm === rows[0].arm && row.seed === rows[0].seed);
    return own.filter((row, index) => row.iteration !== index + 1).length;
  })()`);
  expect(await gaps()).toBe(0);
});
