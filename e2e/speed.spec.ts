import { expect, type Page } from '@playwright/test';
import { presets } from '../src/config/presets';
import type { MetricKey } from '../src/metrics/catalog';
import { counterUniform } from '../src/metrics/counterUniform';
import { teamId } from '../src/metrics/runSeries';
import { encodeNotebookFile } from '../src/notebook/notebookFile';
import type { RecordedLine } from '../src/notebook/recording';
import { standardExperiment, standardNotebook } from '../src/notebook/standardNotebook';
import { sampleRecording } from '../src/notebook/testing/sampleRecording';
import { chartOf } from './chartPages';
import { test } from './notebookTest';
import { longSpec } from './tinySpec';

/** What is measured here is written into the report and asserted nowhere: how fast a page is depends on the machine. */

/** Prints a figure and keeps it with the test. */
function tell(what: string, figure: string): void {
  test.info().annotations.push({ type: what, description: figure });
  process.stdout.write(`    ${what}: ${figure}\n`);
}

/** Main-thread tasks over 50 ms and frames, while `seconds` pass. */
async function watchPage(page: Page, seconds: number) {
  return page.evaluate(async (watched) => {
    const tasks: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    });
    observer.observe({ type: 'longtask' });
    let numRedraws = 0;
    const redraws = new MutationObserver((changes) => (numRedraws += changes.length));
    for (const line of document.querySelectorAll('.metric-plot .chart-line'))
      redraws.observe(line, { attributeFilter: ['d'] });
    const numLines = document.querySelectorAll('.metric-plot .chart-line').length;
    const frames: number[] = [];
    const start = performance.now();
    await new Promise<void>((resolve) => {
      const onFrame = (now: number): void => {
        frames.push(now);
        if (now - start < watched * 1000) requestAnimationFrame(onFrame);
        else resolve();
      };
      requestAnimationFrame(onFrame);
    });
    observer.disconnect();
    redraws.disconnect();
    return {
      longTasks: tasks,
      framesPerSecond: (frames.length - 1) / ((frames.at(-1)! - frames[0]!) / 1000),
      redrawsPerSecond: numLines === 0 ? 0 : numRedraws / numLines / watched,
    };
  }, seconds);
}

test('while a run trains its charts are redrawn some times a second, whatever the number of iterations', async ({
  notebook,
}) => {
  await notebook.page.setViewportSize({ width: 1440, height: 2000 });
  await notebook.openSpec(longSpec);
  await notebook.run.click();
  await expect(notebook.phase('Training')).toBeVisible();
  await expect(notebook.page.locator('.metric-plot .chart-line')).not.toHaveCount(0);
  const { longTasks, framesPerSecond, redrawsPerSecond } = await watchPage(notebook.page, 15);
  const panels = await notebook.page.locator('.chart-panel').count();
  tell('panels in view', String(panels));
  tell(
    'main-thread tasks over 50 ms in 15 s',
    `${longTasks.length}, longest ${Math.max(0, ...longTasks).toFixed(0)} ms`,
  );
  tell('frames per second', framesPerSecond.toFixed(1));
  tell('redraws of a line per second', redrawsPerSecond.toFixed(2));
  expect(panels).toBeGreaterThanOrEqual(6);
  // About 20 iterations a second come, and four redraws at most.
  expect(redrawsPerSecond).toBeGreaterThan(0);
  expect(redrawsPerSecond).toBeLessThanOrEqual(4.5);
  await notebook.button('Stop').click();
});

const numPoints = 100_000;

/** A random walk with spikes, equal on every machine. */
function longLine(metric: MetricKey, agent: string, stream: number): RecordedLine {
  const values = new Float64Array(numPoints);
  const [step, spike] = [counterUniform(stream), counterUniform(stream + 100)];
  let level = 1;
  for (let i = 0; i < numPoints; i++) {
    level = Math.max(0.1, level + (step(i) - 0.5) * 0.02);
    values[i] = spike(i) < 0.0002 ? level * 20 : level;
  }
  const iterations = Int32Array.from({ length: numPoints }, (_, i) => i + 1);
  return { arm: 'global', seed: 0, agent, metric, iterations, values };
}

/** A notebook of one run with a hundred thousand points a line. */
function longNotebook(): Buffer {
  const preset = presets['solve-verify-null'].spec;
  const spec = { ...preset, title: 'Endless', iterations: numPoints, seeds: [0] };
  const one = { ...spec, arms: spec.arms.filter(({ name }) => name === 'global') };
  const metrics: MetricKey[] = ['gradNorm', 'success'];
  const recording = sampleRecording({
    spec: one,
    iterations: numPoints,
    metrics,
    lines: [
      longLine('gradNorm', 'solver', 1),
      longLine('gradNorm', 'verifier', 2),
      longLine('success', teamId, 3),
    ],
    transcripts: [],
  });
  const recordings = new Map([[standardExperiment, recording]]);
  const file = encodeNotebookFile({ notebook: standardNotebook(one), recordings });
  return Buffer.from(JSON.stringify(file));
}

/** Time from an act to the end of the frame that shows its effect. Unit: ms. */
async function timeToFrame(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    performance.clearMarks();
    for (const kind of ['input', 'change', 'click', 'pointerup'])
      window.addEventListener(kind, () => performance.mark('act'), { capture: true, once: true });
  });
  await act();
  return page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() =>
          setTimeout(() =>
            resolve(performance.now() - (performance.getEntriesByName('act')[0]?.startTime ?? NaN)),
          ),
        ),
      ),
  );
}

test('a hundred thousand points a line are drawn, smoothed, zoomed and listed', async ({
  notebook,
}) => {
  const { page } = notebook;
  await notebook.open();
  const start = Date.now();
  await page.getByLabel('Notebook or configuration file', { exact: true }).setInputFiles({
    name: 'endless.json',
    mimeType: 'application/json',
    buffer: longNotebook(),
  });
  const chart = chartOf(notebook, 'Gradient norm');
  await expect(chart.locator('.chart-line').first()).toBeVisible({ timeout: 240_000 });
  tell('opened and drawn', `${Date.now() - start} ms`);
  const curve = chart.locator('.chart-line').first();
  const before = await curve.getAttribute('d');
  const smooth = await timeToFrame(page, () => page.getByLabel('Smoothing').first().fill('0.9'));
  await expect(curve).not.toHaveAttribute('d', before ?? '');
  tell('smoothed', `${smooth.toFixed(0)} ms`);
  // As many points as the plot has pixels, not as many as there are.
  const smoothed = (await curve.getAttribute('d')) ?? '';
  expect(smoothed.split(/[MLC]/).length).toBeLessThan(5000);
  await chart.getByRole('button', { name: 'View' }).click();
  const from = chart.getByLabel(/^From/);
  const zoom = await timeToFrame(page, () => from.fill('50000'));
  await expect(curve).not.toHaveAttribute('d', smoothed);
  tell('zoomed', `${zoom.toFixed(0)} ms`);
  // The table is of all of it, page by page or thinned, and says which.
  await chart.getByRole('button', { name: 'Table' }).click();
  const table = chart.getByRole('region', { name: /^Table of/ }).first();
  await expect(table.getByRole('rowheader').first()).toHaveText('50000');
});
