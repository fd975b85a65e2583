import fc from 'fast-check';
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import type { MetricRow } from '../metrics/catalog';
import { appendRows, createRunSeries } from '../metrics/runSeries';
import { metricsCsv } from '../metrics/toCsv';
import { metricsCsvWide } from './metricsCsvWide';
import { metricsParquet } from './metricsParquet';
import { anyRun } from './testing/anyRows';
import { fuzzRuns } from './testing/fuzzRuns';
import { readCsv } from './testing/readCsv';

/** One logged number, −0 as 0 since decimal text does not tell them apart. */
type Point = readonly [string, string, string, string, string, number];

function pointsOf(rows: readonly MetricRow[]): Point[] {
  return rows.flatMap(({ iteration, arm, seed, agent, values }) =>
    Object.entries(values).map(([key, value]): Point => [
      `${iteration}`,
      arm,
      `${seed}`,
      agent,
      key,
      value + 0,
    ]),
  );
}

/** As pandas and NumPy read the three words. */
function numberOf(text: string): number {
  return text === 'NaN' ? NaN : Number(text);
}

const byText = (a: Point, b: Point): number => (String(a) < String(b) ? -1 : 1);

test('long CSV holds every logged point, and an independent reader reads it exactly', () => {
  fc.assert(
    fc.property(anyRun, (series) => {
      const [header, ...records] = readCsv(metricsCsv(series));
      expect(header).toEqual(['arm', 'seed', 'agent', 'iteration', 'metric', 'value']);
      const points = records.map(([arm, seed, agent, iteration, key, value]): Point => [
        iteration!,
        arm!,
        seed!,
        agent!,
        key!,
        numberOf(value!),
      ]);
      expect(points).toEqual(pointsOf(series.rows));
    }),
    fuzzRuns,
  );
});

test('wide CSV holds every logged point and nothing else', () => {
  fc.assert(
    fc.property(anyRun, (series) => {
      const [header = [], ...records] = readCsv(metricsCsvWide(series));
      expect(records).toHaveLength(series.rows.length);
      const points = records.flatMap(([iteration, arm, seed, agent, ...values]) =>
        values.flatMap((text, column): Point[] =>
          text === ''
            ? []
            : [[iteration!, arm!, seed!, agent!, header[column + 4]!, numberOf(text)]],
        ),
      );
      expect(points.toSorted(byText)).toEqual(pointsOf(series.rows).toSorted(byText));
    }),
    fuzzRuns,
  );
});

test('Parquet holds every row bit for bit, null where nothing was logged', async () => {
  await fc.assert(
    fc.asyncProperty(anyRun, async (series) => {
      const file = metricsParquet(series, {}).buffer;
      const rows = await parquetReadObjects({ file });
      const columns = new Set(series.rows.flatMap(({ values }) => Object.keys(values)));
      expect(rows).toEqual(
        series.rows.map(({ iteration, arm, seed, agent, values }) => ({
          iteration,
          arm,
          seed: BigInt(seed),
          agent,
          ...Object.fromEntries([...columns].map((key) => [key, null])),
          ...values,
        })),
      );
    }),
    { numRuns: Math.ceil(fuzzRuns.numRuns / 5) },
  );
});

const twoRows: MetricRow[] = [
  {
    iteration: 0,
    arm: 'global',
    seed: 4_294_967_295,
    agent: 'team',
    values: { teamReward: -0, success: NaN },
  },
  { iteration: 1, arm: 'global', seed: 0, agent: 'solver', values: { gradNorm: Infinity } },
];

test('types and names of the columns are those that other tools see', async () => {
  const file = metricsParquet(appendRows(createRunSeries(), twoRows), { specHash: 'ab' }).buffer;
  const { schema, num_rows, key_value_metadata } = await parquetMetadataAsync(file);
  expect(num_rows).toBe(2n);
  expect(key_value_metadata).toEqual([{ key: 'specHash', value: 'ab' }]);
  expect(
    schema.slice(1).map(({ name, type, repetition_type }) => [name, type, repetition_type]),
  ).toEqual([
    ['iteration', 'INT32', 'REQUIRED'],
    ['arm', 'BYTE_ARRAY', 'REQUIRED'],
    ['seed', 'INT64', 'REQUIRED'],
    ['agent', 'BYTE_ARRAY', 'REQUIRED'],
    // In the order of the catalog: agents' metrics first.
    ['gradNorm', 'DOUBLE', 'OPTIONAL'],
    ['success', 'DOUBLE', 'OPTIONAL'],
    ['teamReward', 'DOUBLE', 'OPTIONAL'],
  ]);
});

test('equal series give equal bytes', () => {
  const [once, again] = [0, 1].map(() =>
    metricsParquet(appendRows(createRunSeries(), twoRows), { a: '1' }),
  );
  expect(once).toEqual(again);
});

test('a long run is read back from several row groups', async () => {
  const rows = Array.from({ length: 2500 }, (_, iteration): MetricRow => ({
    iteration,
    arm: 'global',
    seed: 0,
    agent: 'team',
    values: iteration % 3 === 0 ? { success: 1 / (iteration + 1) } : {},
  }));
  const file = metricsParquet(appendRows(createRunSeries(), rows), {}).buffer;
  const read = await parquetReadObjects({ file, columns: ['success'] });
  expect(read.map((row) => row['success'])).toEqual(
    rows.map(({ values }) => values.success ?? null),
  );
});

test('0 and −0 stay apart, and NaN apart from null, in a column that repeats itself', async () => {
  const cycle = [0, -0, NaN, undefined, -Infinity];
  const rows = Array.from({ length: 3000 }, (_, iteration): MetricRow => {
    const value = cycle[iteration % cycle.length];
    const values = value === undefined ? {} : { success: value };
    return { iteration, arm: 'global', seed: 0, agent: 'team', values };
  });
  const file = metricsParquet(appendRows(createRunSeries(), rows), {}).buffer;
  const read = await parquetReadObjects({ file, columns: ['success'] });
  expect(read.map((row) => row['success'])).toEqual(
    rows.map(({ values }) => values.success ?? null),
  );
});

test('wide CSV of two rows, by hand', () => {
  expect(metricsCsvWide(appendRows(createRunSeries(), twoRows))).toBe(
    'iteration,arm,seed,agent,gradNorm,success,teamReward\r\n' +
      '0,global,4294967295,team,,NaN,0\r\n' +
      '1,global,0,solver,Infinity,,\r\n',
  );
});

test('a run without rows is a header', () => {
  expect(metricsCsvWide(createRunSeries())).toBe('iteration,arm,seed,agent\r\n');
});

test('under another program’s names, a metric without an equal there stands apart under ours', () => {
  const [header] = metricsCsvWide(appendRows(createRunSeries(), twoRows), (metric) =>
    metric === 'gradNorm' ? 'actor/grad_norm' : null,
  ).split('\r\n');
  const ours = metricsCsvWide(appendRows(createRunSeries(), twoRows)).split('\r\n')[0] ?? '';
  const theirs = ours
    .split(',')
    .slice(4)
    .map((metric) => (metric === 'gradNorm' ? 'actor/grad_norm' : `marlbook/${metric}`));
  expect(theirs).toContain('actor/grad_norm');
  expect(theirs.some((name) => name.startsWith('marlbook/'))).toBe(true);
  expect(header).toBe(['iteration', 'arm', 'seed', 'agent', ...theirs].join());
});
