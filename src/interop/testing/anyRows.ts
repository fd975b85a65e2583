import fc from 'fast-check';
import { metricCatalog, type MetricKey, type MetricRow } from '../../metrics/catalog';
import { appendRows, createRunSeries, type RunSeries } from '../../metrics/runSeries';

const keys = Object.keys(metricCatalog).filter(isMetricKey);

function isMetricKey(key: string): key is MetricKey {
  return Object.hasOwn(metricCatalog, key);
}

/** Runs with every kind of number: NaN, ±Infinity, −0, subnormals; arms that need quoting; metrics that come and go. */
export const anyRun: fc.Arbitrary<RunSeries> = fc
  .array(
    fc.record({
      arm: fc.oneof(
        fc.constantFrom('global', 'agentWise'),
        fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => !name.includes('/')),
      ),
      seed: fc.nat(0xffffffff),
      agent: fc.constantFrom('team', 'solver', 'verifier'),
      values: fc.dictionary(fc.constantFrom(...keys), fc.double(), { noNullPrototype: true }),
    }),
    { maxLength: 12 },
  )
  .map((rows) =>
    appendRows(
      createRunSeries(),
      // Each in an iteration of its own: no line may hold an iteration twice.
      rows.map((row, iteration): MetricRow => Object.assign({ iteration }, row)),
    ),
  );
