import { toSpecIssues } from '../config/issueMessages';
import type { SpecIssue } from '../config/specIssue';
import type { MetricRow } from '../metrics/catalog';
import type { GradientPair } from '../protocol/trainerApi';
import { chunkSchema, type ChunkRow } from './chunkRow';
import type { KeptEvent } from './storageApi';

export type ParsedChunk =
  | { readonly ok: true; readonly events: readonly KeptEvent[] }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

/** A stored chunk to its events, their episodes and group records left empty; or what is wrong with it. Never throws. */
export function parseChunk(data: unknown): ParsedChunk {
  const parsed = chunkSchema.safeParse(data);
  if (!parsed.success) return { ok: false, issues: toSpecIssues(parsed.error.issues, data) };
  const issues = [...lengthIssues(parsed.data), ...indexIssues(parsed.data)];
  return issues.length > 0 ? { ok: false, issues } : { ok: true, events: eventsOf(parsed.data) };
}

type Expectation = readonly [path: string, came: number, expected: number, of: string];

function lengthIssues(chunk: ChunkRow): readonly SpecIssue[] {
  const { events, rows, pairs } = chunk;
  const iterations = events.filter((event) => event.kind === 'iteration');
  const numRows = iterations.reduce((sum, event) => sum + event.numRows, 0);
  const numPairs = iterations.reduce((sum, event) => sum + event.numPairs, 0);
  const expectations: readonly Expectation[] = [
    ['rows.iterations', rows.iterations.length, numRows, 'one a row'],
    ['rows.lineIds', rows.lineIds.length, numRows, 'one a row'],
    ['pairs.lineIds', pairs.lineIds.length, numPairs, 'one a pair'],
    ['pairs.updateCosines', pairs.updateCosines.length, numPairs, 'one a pair'],
    ['pairs.hasCosine', pairs.hasCosine.length, numPairs, 'one a pair'],
  ];
  return expectations.flatMap(([path, came, expected, of]) =>
    came === expected
      ? []
      : [{ path, message: `${came} numbers came, expected ${expected} (${of}).` }],
  );
}

function indexIssues({ rows, pairs }: ChunkRow): readonly SpecIssue[] {
  const issues = [
    ...outside('rows.lineIds', rows.lineIds, rows.lines.length),
    ...outside(
      'rows.lines',
      rows.lines.map(({ metrics }) => metrics),
      rows.metricSets.length,
    ),
    ...outside('pairs.lineIds', pairs.lineIds, pairs.lines.length),
    ...outside(
      'pairs.conflicts',
      pairs.conflicts.map(({ pair }) => pair),
      pairs.lineIds.length,
    ),
    ...outside('pairs.hasCosine', pairs.hasCosine, 2),
  ];
  return issues.length > 0 ? issues : valueIssues(rows);
}

function outside(path: string, indices: Iterable<number>, length: number): readonly SpecIssue[] {
  for (const index of indices)
    if (index < 0 || index >= length)
      return [{ path, message: `${index} came, expected a number from 0, below ${length}.` }];
  return [];
}

function valueIssues({
  lineIds,
  lines,
  metricSets,
  values,
}: ChunkRow['rows']): readonly SpecIssue[] {
  const expected = lineIds.reduce((sum, line) => sum + metricSets[lines[line]!.metrics]!.length, 0);
  if (values.length === expected) return [];
  const message = `${values.length} numbers came, expected ${expected} (one a metric of a row).`;
  return [{ path: 'rows.values', message }];
}

function eventsOf(chunk: ChunkRow): readonly KeptEvent[] {
  const rows = rowsOf(chunk.rows);
  const pairs = pairsOf(chunk.pairs);
  let row = 0;
  let pair = 0;
  return chunk.events.map((event) => {
    if (event.kind !== 'iteration') return event;
    const { numRows, numPairs, ...rest } = event;
    row += numRows;
    pair += numPairs;
    return {
      ...rest,
      rows: rows.slice(row - numRows, row),
      transcripts: [],
      groups: [],
      gradientPairs: pairs.slice(pair - numPairs, pair),
    };
  });
}

function rowsOf({ iterations, lineIds, lines, metricSets, values }: ChunkRow['rows']): MetricRow[] {
  let at = 0;
  return Array.from(lineIds, (line, i) => {
    const { arm, seed, agent, metrics } = lines[line]!;
    const entries = metricSets[metrics]!.map((key) => [key, values[at++]!] as const);
    return { iteration: iterations[i]!, arm, seed, agent, values: Object.fromEntries(entries) };
  });
}

function pairsOf(pairs: ChunkRow['pairs']): GradientPair[] {
  const { lineIds, lines, updateCosines, hasCosine, conflicts } = pairs;
  const byPair = new Map(conflicts.map(({ pair, ...conflict }) => [pair, conflict]));
  return Array.from(lineIds, (line, i) => ({
    ...lines[line]!,
    updateCosine: hasCosine[i] === 1 ? updateCosines[i]! : null,
    conflict: byPair.get(i) ?? null,
  }));
}
