import type { MetricKey, MetricRow } from './catalog';

/**
 * Everything a run has logged, in columns. Append-only: what was read once stays true, a missing value stays missing.
 * One line of numbers per (arm, seed, agent, metric); a chart reads views of it and copies nothing.
 */

/** Agent id of the rows that belong to the whole team. */
export const teamId = 'team';

/** Names one line of numbers. */
export interface SeriesKey {
  readonly arm: string;
  readonly seed: number;
  /** Agent id, or `team`. */
  readonly agent: string;
  readonly metric: MetricKey;
}

/** A line of numbers over iterations, same length, iterations strictly increasing. */
export interface SeriesPoints {
  /** [n] */
  readonly iterations: Int32Array;
  /** [n] may hold NaN and ±Infinity. Unit: the metric's. */
  readonly values: Float64Array;
}

/** The arms, seeds and agents (without the team) that a table or a chart speaks of, in its order. */
export interface RunScope {
  readonly arms: readonly string[];
  readonly seeds: readonly number[];
  readonly agents: readonly string[];
}

interface GrowingLine {
  length: number;
  iterations: Int32Array;
  values: Float64Array;
}

export interface RunSeries {
  /** Rows in the order of their arrival. */
  readonly rows: MetricRow[];
  /** Number of appended batches that held rows: one an iteration. */
  revision: number;
  /** One entry per (arm, seed, agent). */
  readonly lines: Map<string, Map<string, GrowingLine>>;
  /**
   * Seconds of training up to the end of each iteration; pauses do not count. Of all arms and seeds, which train together. Beside
   * the rows and not in them: equal runs have equal rows, and take different times.
   */
  readonly trainingTime: GrowingLine;
}

const firstCapacity = 64;

export function createRunSeries(): RunSeries {
  return { rows: [], revision: 0, lines: new Map(), trainingTime: createLine() };
}

function createLine(): GrowingLine {
  return {
    length: 0,
    iterations: new Int32Array(firstCapacity),
    values: new Float64Array(firstCapacity),
  };
}

/** Ids hold letters and digits only (config/experimentSpec), so a slash separates without doubt. */
function lineGroup(row: { arm: string; seed: number; agent: string }): string {
  return `${row.arm}/${row.seed}/${row.agent}`;
}

function push(line: GrowingLine, iteration: number, value: number): void {
  if (line.length === line.iterations.length) {
    // New arrays, not resized ones: views handed out before keep their numbers.
    const iterations = new Int32Array(2 * line.length);
    const values = new Float64Array(2 * line.length);
    iterations.set(line.iterations);
    values.set(line.values);
    line.iterations = iterations;
    line.values = values;
  }
  line.iterations[line.length] = iteration;
  line.values[line.length] = value;
  line.length += 1;
}

function appendRow(series: RunSeries, row: MetricRow): void {
  const group = lineGroup(row);
  let metrics = series.lines.get(group);
  if (!metrics) series.lines.set(group, (metrics = new Map()));
  for (const [metric, value] of Object.entries(row.values)) {
    // A structured clone may carry `undefined`: that is "absent", not a number.
    if (value === undefined) continue;
    let line = metrics.get(metric);
    if (!line) metrics.set(metric, (line = createLine()));
    const last = lastIteration(line);
    if (row.iteration <= last)
      throw new RangeError(
        `${metric} of ${group} came for iteration ${row.iteration} after ${last}: append rows in the order of their iterations, each once.`,
      );
    push(line, row.iteration, value);
  }
  series.rows.push(row);
}

/** −1 while the line is empty. */
function lastIteration({ length, iterations }: GrowingLine): number {
  return length > 0 ? iterations[length - 1]! : -1;
}

/**
 * Notes how long an iteration took, in place; `revision` stays, its rows have raised it. Iteration 0 trains nothing and stands at 0 s. Throws RangeError when an iteration comes twice or backwards.
 * @param durationMs of the stages of this iteration alone
 */
export function appendTrainingTime(series: RunSeries, iteration: number, durationMs: number): void {
  const { trainingTime } = series;
  const last = lastIteration(trainingTime);
  if (iteration <= last)
    throw new RangeError(
      `The time of iteration ${iteration} came after that of ${last}: append times in the order of the iterations, each once.`,
    );
  const before = trainingTime.length > 0 ? trainingTime.values[trainingTime.length - 1]! : 0;
  push(trainingTime, iteration, iteration === 0 ? 0 : before + durationMs / 1000);
}

/**
 * Adds rows at the end, in place, and returns the same series; O(number of values).
 * Throws RangeError when an iteration of a line comes twice or backwards; rows before the wrong one are kept.
 */
export function appendRows(series: RunSeries, rows: readonly MetricRow[]): RunSeries {
  for (const row of rows) appendRow(series, row);
  if (rows.length > 0) series.revision += 1;
  return series;
}

const noPoints: SeriesPoints = { iterations: new Int32Array(0), values: new Float64Array(0) };

/** One line as views into the series; empty when nothing was logged. A view never changes, later points are not in it. */
export function points(series: RunSeries, key: SeriesKey): SeriesPoints {
  const line = series.lines.get(lineGroup(key))?.get(key.metric);
  return line ? viewOf(line) : noPoints;
}

/** Seconds of training by iteration, as a view like those of `points`. */
export function trainingTimePoints(series: RunSeries): SeriesPoints {
  return viewOf(series.trainingTime);
}

function viewOf({ length, iterations, values }: GrowingLine): SeriesPoints {
  return { iterations: iterations.subarray(0, length), values: values.subarray(0, length) };
}

/** The rows from `index` on, in the order of their arrival; [] past the end. For storage that writes what is new. */
export function rowsFrom(series: RunSeries, index: number): readonly MetricRow[] {
  return series.rows.slice(index);
}

/** Arms, seeds and agents in the order in which they first appeared. */
export function seenScope(series: RunSeries): RunScope {
  const arms = new Set<string>();
  const seeds = new Set<number>();
  const agents = new Set<string>();
  for (const row of series.rows) {
    arms.add(row.arm);
    seeds.add(row.seed);
    if (row.agent !== teamId) agents.add(row.agent);
  }
  return { arms: [...arms], seeds: [...seeds], agents: [...agents] };
}
