import { parquetWriteBuffer, type ColumnSource } from 'hyparquet-writer';
import type { RunSeries } from '../metrics/runSeries';
import { metricTable } from './metricTable';

/**
 * All metrics of a run as Parquet: columns iteration (INT32), arm (STRING), seed (INT64: seeds are unsigned 32-bit), agent (STRING)
 * and one nullable DOUBLE a metric, in the order of the catalog. A null was not logged; NaN, ±Infinity and −0 are kept. Equal series
 * give equal bytes.
 *
 * No statistics are written: the least and largest value of a column with NaN would let a reader skip lines that it should return.
 * @param about what the file says of itself, e.g. hash of the specification
 */
export function metricsParquet(
  series: RunSeries,
  about: Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer> {
  const { iterations, arms, seeds, agents, metrics } = metricTable(series);
  const columnData: ColumnSource[] = [
    { name: 'iteration', data: [...iterations], type: 'INT32', nullable: false },
    { name: 'arm', data: [...arms], type: 'STRING', nullable: false },
    { name: 'seed', data: seeds.map(BigInt), type: 'INT64', nullable: false },
    { name: 'agent', data: [...agents], type: 'STRING', nullable: false },
    ...metrics.map(({ key, values }): ColumnSource => ({
      name: key,
      data: [...values],
      type: 'DOUBLE',
      nullable: true,
      // The writer's dictionary takes −0 and 0 for one value.
      encoding: 'PLAIN',
    })),
  ];
  const kvMetadata = Object.entries(about)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => ({ key, value }));
  return new Uint8Array(parquetWriteBuffer({ columnData, kvMetadata, statistics: false }));
}
