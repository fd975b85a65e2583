import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MetricRow } from '../metrics/catalog';
import { points } from '../metrics/runSeries';
import { metricsCsv } from '../metrics/toCsv';
import { encodeRecording } from './encodeRecording';
import { parseRecording } from './parseRecording';
import { linesOf, recordedSeries, withMetrics, type RunRecording } from './recording';
import { sampleRecording, sampleRows, seriesOf } from './testing/sampleRecording';

/** Through a file and back. */
function throughFile(recording: RunRecording): RunRecording {
  const parsed = parseRecording(JSON.parse(JSON.stringify(encodeRecording(recording))));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.recording;
}

test('a recording comes back from its file with every bit of it', () => {
  const recording = sampleRecording();
  expect(throughFile(recording)).toEqual(recording);
});

test('its rows, and so its CSV, are those of the run, in the order of their arrival', () => {
  const rows = sampleRows();
  const series = recordedSeries(throughFile(sampleRecording()));
  expect(series.rows).toEqual(rows);
  expect(series.revision).toBe(4);
  expect(metricsCsv(series)).toBe(metricsCsv(seriesOf(rows)));
});

test('a line of a chart is the line of the run, gaps included', () => {
  const key = { arm: 'globalStep', seed: 7, agent: 'solver', metric: 'gradNorm' } as const;
  const line = points(recordedSeries(throughFile(sampleRecording())), key);
  expect(line).toEqual(points(seriesOf(sampleRows()), key));
  // The solver did not act in iteration 2, and has no norm before the first update.
  expect([...line.iterations]).toEqual([1, 3]);
});

test('lines that were logged in the same iterations share one axis', () => {
  const { axes, groups } = encodeRecording(sampleRecording());
  // The solver's 1, 3; the verifier's 1, 2, 3; the team's 0, 1, 2, 3.
  expect(axes).toEqual([2, 3, 4]);
  // Two arms × two seeds × (solver, verifier, team): norm and turns of an agent are told together.
  expect(groups).toHaveLength(12);
  expect(groups[0]).toMatchObject({ agent: 'solver', axis: 0, metrics: ['gradNorm', 'numTurns'] });
});

test('metrics that are not kept are gone from the lines and from the list', () => {
  const kept = withMetrics(sampleRecording(), new Set(['success']));
  expect(kept.metrics).toEqual(['success']);
  expect(new Set(kept.lines.map(({ metric }) => metric))).toEqual(new Set(['success']));
  expect(throughFile(kept)).toEqual(kept);
});

test('any series of numbers comes back, whatever is missing in it', () => {
  const anyRow = fc.record({
    arm: fc.constantFrom('global', 'globalStep'),
    seed: fc.constantFrom(0, 7),
    iteration: fc.integer({ min: 0, max: 3 }),
    agent: fc.constantFrom('solver', 'verifier'),
    values: fc.record(
      { gradNorm: fc.double(), numTurns: fc.double(), entropy: fc.double() },
      { requiredKeys: ['gradNorm'] },
    ),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(anyRow, {
        selector: ({ arm, seed, iteration, agent }) => `${arm}/${seed}/${iteration}/${agent}`,
      }),
      (unordered) => {
        const rows: readonly MetricRow[] = unordered.toSorted((a, b) => a.iteration - b.iteration);
        const series = seriesOf(rows);
        const metrics = ['gradNorm', 'numTurns', 'entropy'] as const;
        const lines = linesOf(series, metrics);
        const back = throughFile(sampleRecording({ lines, metrics: [...metrics] }));
        expect(back.lines).toEqual(lines);
        const read = recordedSeries(back);
        for (const row of rows) expect(read.rows).toContainEqual(row);
        expect(read.rows).toHaveLength(rows.length);
      },
    ),
  );
});
