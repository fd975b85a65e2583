import { expect, type Locator, type Page } from '@playwright/test';
import type { SpecAdjustment, SpecSource } from '../src/app/loadSource';
import type { ExperimentSpec } from '../src/config/experimentSpec';
import { encodeShareLink } from '../src/config/shareLink';
import type { MetricRow } from '../src/metrics/catalog';

/** The notebook as its user meets it: everything is found by role and name. */
export class NotebookPage {
  readonly page: Page;
  /** Address of the page without a fragment. */
  readonly url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.url = url;
  }

  /** Opens the page with a fragment such as `#v1.…`; without one, with an experiment that nothing was done with. */
  async open(fragment = '#new'): Promise<void> {
    await this.page.goto(`${this.url}${fragment}`);
    await expect(this.run).toBeVisible();
  }

  /** Opens the page by the share link of `spec`. */
  async openSpec(spec: ExperimentSpec): Promise<void> {
    const link = encodeShareLink(spec);
    if (!link.ok) throw new Error(`No link: ${link.issues.map(({ message }) => message).join()}`);
    await this.open(link.fragment);
  }

  private get strip(): Locator {
    return this.page.getByRole('region', { name: 'Run', exact: true });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  get run(): Locator {
    return this.strip.getByRole('button', { name: /^(Run|Restart)$/ });
  }

  /** What the run strip says the run is doing, e.g. `Paused`. */
  phase(name: string): Locator {
    return this.strip.getByText(name, { exact: true });
  }

  /** A notice over the results, by its title. */
  notice(title: string | RegExp): Locator {
    return this.page.getByRole('region', { name: title });
  }

  /** The page's one live region. */
  get announcement(): Locator {
    return this.page.getByRole('status');
  }

  preset(label: string): Locator {
    return this.page.getByRole('radio', { name: label, exact: true });
  }

  /** A setting of the form; opens its section first. */
  async setting(section: string, label: string): Promise<Locator> {
    const group = this.page
      .getByRole('group')
      .filter({ has: this.page.getByRole('heading', { name: section, exact: true }) });
    const control = group.getByLabel(label, { exact: true });
    // A section may be open from the start: the form has to be there before that can be told.
    await control.waitFor({ state: 'attached' });
    if (!(await control.isVisible())) await group.getByRole('heading', { name: section }).click();
    await expect(control).toBeVisible();
    return control;
  }

  async switchArmOff(name: string): Promise<void> {
    await this.page.getByRole('checkbox', { name: new RegExp(`^${name}`) }).uncheck();
  }

  async set(section: string, label: string, value: string): Promise<void> {
    await (await this.setting(section, label)).fill(value);
  }

  /** Rows of a chart's table, which the chart shows in place of its lines. */
  async tableRows(chart: string, panel: string): Promise<Locator> {
    const toggle = this.page
      .getByRole('figure', { name: chart })
      .getByRole('button', { name: 'Table' });
    if ((await toggle.getAttribute('aria-pressed')) === 'false') await toggle.click();
    return this.page.getByRole('region', { name: `Table of ${panel}` }).getByRole('row');
  }

  /** Iterations done and planned, as the run strip shows them. */
  async progress(): Promise<{ iteration: number; iterations: number }> {
    const text = await this.strip.getByText(/^\d+\/\d+$/).textContent();
    const [iteration = NaN, iterations = NaN] = (text ?? '').split('/').map(Number);
    return { iteration, iterations };
  }

  /** The run on the page has come through its start, which compiles, tests and warm-starts, and has learned once. */
  async started(): Promise<void> {
    await expect
      .poll(async () => (await this.progress()).iteration, { timeout: 240_000 })
      .toBeGreaterThan(0);
  }

  /** The run on the page has come to its end, however long that takes on a busy machine. */
  async finished(): Promise<void> {
    await expect(this.phase('Finished')).toBeVisible({ timeout: 240_000 });
  }

  /** Runs the form to its end through the console. */
  async runToEnd(): Promise<void> {
    await this.page.evaluate(() => window.marlbook.run());
  }

  /** The section in which episodes are read. */
  get rollouts(): Locator {
    return this.page.getByRole('region', { name: 'Rollouts', exact: true });
  }

  /** The episodes that are listed, as buttons. */
  get episodes(): Locator {
    return this.rollouts.getByRole('table', { name: 'Episodes' }).getByRole('button');
  }

  /** What the list of episodes is restricted to, by its label. */
  episodeFilter(label: string): Locator {
    return this.rollouts
      .getByRole('group', { name: 'Filter episodes' })
      .getByLabel(label, { exact: true });
  }

  /** What is read: one region that takes the arrow keys. */
  get reader(): Locator {
    return this.rollouts.getByRole('region', { name: 'Episode', exact: true });
  }

  /** The turns that are shown, of all episodes on show. */
  get turns(): Locator {
    return this.reader.getByRole('list', { name: 'Turns' }).getByRole('listitem');
  }

  /** Cells by what they are and what they are about, such as `Chart cell: Entropy`. */
  cell(name: string | RegExp): Locator {
    return this.page.getByRole('group', { name });
  }

  /** Chooses a command by typing a part of its name into the command menu. */
  async command(text: string): Promise<void> {
    await this.page.keyboard.press('Control+k');
    const menu = this.page.getByRole('dialog', { name: 'Commands' });
    await expect(menu).toBeVisible();
    await this.page.keyboard.type(text);
    await expect(menu.getByRole('option').first()).toContainText(text.split(' ')[0] ?? text, {
      ignoreCase: true,
    });
    await this.page.keyboard.press('Enter');
    await expect(menu).toBeHidden();
  }

  load(source: SpecSource, adjustment?: SpecAdjustment): Promise<unknown> {
    return this.page.evaluate(([from, change]) => window.marlbook.load(from, change), [
      source,
      adjustment,
    ] as const);
  }

  rows(): Promise<readonly MetricRow[]> {
    return this.page.evaluate(() => window.marlbook.rows(0));
  }
}
