import type { MetricKey, MetricRow } from '../metrics/catalog';
import type { GradientPair } from '../protocol/trainerApi';
import type { ChunkEvent, ChunkRow } from './chunkRow';
import type { KeptEvent } from './storageApi';

/** What a batch brought, without episodes and group records, as it is stored; `parseChunk` gives every bit of it back. */
export function encodeChunk(events: readonly KeptEvent[]): ChunkRow {
  const iterations = events.filter((event) => event.kind === 'iteration');
  return {
    events: events.map(eventRow),
    rows: encodeRows(iterations.flatMap(({ rows }) => rows)),
    pairs: encodePairs(iterations.flatMap(({ gradientPairs }) => gradientPairs)),
  };
}

function eventRow(event: KeptEvent): ChunkEvent {
  if (event.kind !== 'iteration') return event;
  const { kind, iteration, rows, gradientPairs, tokens, times } = event;
  return { kind, iteration, numRows: rows.length, numPairs: gradientPairs.length, tokens, times };
}

/** Numbers distinct things in the order in which they first come. */
function createIndex<T>(): {
  readonly all: T[];
  indexOf(name: string, make: () => T): number;
} {
  const all: T[] = [];
  const indices = new Map<string, number>();
  return {
    all,
    indexOf(name, make) {
      const known = indices.get(name);
      if (known !== undefined) return known;
      indices.set(name, all.length);
      return all.push(make()) - 1;
    },
  };
}

/** A structured clone may carry `undefined`: that is "absent", not a number. */
function entriesOf({ values }: MetricRow): readonly (readonly [MetricKey, number])[] {
  return Object.entries(values).filter(
    (entry): entry is [MetricKey, number] => entry[1] !== undefined,
  );
}

function encodeRows(rows: readonly MetricRow[]): ChunkRow['rows'] {
  const metricSets = createIndex<readonly MetricKey[]>();
  const lines = createIndex<ChunkRow['rows']['lines'][number]>();
  const lineIds = new Int32Array(rows.length);
  const values: number[] = [];
  for (const [i, row] of rows.entries()) {
    const entries = entriesOf(row);
    const keys = entries.map(([key]) => key);
    const metrics = metricSets.indexOf(keys.join(), () => keys);
    const { arm, seed, agent } = row;
    lineIds[i] = lines.indexOf(`${arm}/${seed}/${agent}/${metrics}`, () => ({
      arm,
      seed,
      agent,
      metrics,
    }));
    for (const [, value] of entries) values.push(value);
  }
  return {
    metricSets: metricSets.all,
    lines: lines.all,
    iterations: Int32Array.from(rows, ({ iteration }) => iteration),
    lineIds,
    values: Float64Array.from(values),
  };
}

function encodePairs(pairs: readonly GradientPair[]): ChunkRow['pairs'] {
  const lines = createIndex<ChunkRow['pairs']['lines'][number]>();
  return {
    lineIds: Int32Array.from(pairs, ({ arm, seed, a, b }) =>
      lines.indexOf(`${arm}/${seed}/${a}/${b}`, () => ({ arm, seed, a, b })),
    ),
    lines: lines.all,
    updateCosines: Float64Array.from(pairs, ({ updateCosine }) => updateCosine ?? 0),
    hasCosine: Uint8Array.from(pairs, ({ updateCosine }) => (updateCosine === null ? 0 : 1)),
    conflicts: pairs.flatMap(({ conflict }, pair) =>
      conflict === null ? [] : [{ pair, ...conflict }],
    ),
  };
}
