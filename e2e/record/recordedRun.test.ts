import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { MetricRow } from '../../src/metrics/catalog';
import { eventsOf, rowsOf } from '../../src/engine/testing/runInProcess';
import { parseNotebookFile } from '../../src/notebook/notebookFile';
import { recordedSeries } from '../../src/notebook/recording';

/** One number a line: `1/solver/gradNorm = 0.25`. */
function numbersIn(rows: readonly MetricRow[], metrics: ReadonlySet<string>): readonly string[] {
  return rows.flatMap(({ iteration, agent, values }) =>
    Object.entries(values)
      .filter(([metric]) => metrics.has(metric))
      .map(([metric, value]) => `${iteration}/${agent}/${metric} = ${value}`),
  );
}

/**
 * A run on the `cpu` backend depends neither on what runs beside it nor on the iterations that follow: one arm and seed of the
 * tour, cut short, has to give the numbers that were recorded with all of them in a browser.
 */
test('the first iterations of a recorded run, made again, have the recorded numbers to the last bit', async () => {
  const parsed = parseNotebookFile(JSON.parse(readFileSync('public/notebooks/tour.json', 'utf8')));
  const recording = parsed.ok ? parsed.recordings.get('team') : undefined;
  const { spec, metrics } = recording!;
  const [arm] = spec.arms;
  const [seed] = spec.seeds;
  const rows = rowsOf(await eventsOf({ ...spec, arms: [arm!], seeds: [seed!], iterations: 2 }));
  // The last iteration of a run is evaluated, whichever it is.
  const compared = new Set(metrics.filter((metric) => metric !== 'evalSuccess'));
  const recorded = recordedSeries(recording!).rows.filter(
    (row) => row.arm === arm!.name && row.seed === seed && row.iteration <= 2,
  );
  const numbers = numbersIn(recorded, compared);
  expect(numbers.length).toBeGreaterThanOrEqual(6);
  expect(numbersIn(rows, compared).toSorted()).toEqual(numbers.toSorted());
});
