import type { MetricRow } from '../../metrics/catalog';
import { trainingTimePoints } from '../../metrics/runSeries';
import type { Transcript } from '../../protocol/trainerApi';
import type { RunState } from '../runState';

/** How much of a run the storage has. */
export interface Given {
  readonly numRows: number;
  readonly numTimes: number;
  /** The last iteration of those rows; −1 before the first. */
  readonly iteration: number;
}

export const nothingGiven: Given = { numRows: 0, numTimes: 0, iteration: -1 };

/** What a run has logged in some iterations that follow one another. */
export interface RunPart {
  readonly rows: readonly MetricRow[];
  /** Seconds of training up to the end of each iteration. */
  readonly times: readonly (readonly [iteration: number, seconds: number])[];
  readonly transcripts: readonly Transcript[];
}

/** A part of this many rows costs the page a few milliseconds. Whole iterations only, so that one may exceed it alone. */
const maxRows = 2000;

/**
 * What comes next of a run, and what the storage then has; null where it has everything. Rows and times: every one, in order. Episodes:
 * those of these iterations that the page still remembers.
 */
export function freshPart(
  { series, transcripts }: Pick<RunState, 'series' | 'transcripts'>,
  given: Given,
): { readonly part: RunPart; readonly given: Given } | null {
  const end = wholeIterations(series.rows, given.numRows);
  if (end === given.numRows) return null;
  const iteration = series.rows[end - 1]!.iteration;
  const { iterations, values } = trainingTimePoints(series);
  const times: [number, number][] = [];
  for (let i = given.numTimes; i < iterations.length && iterations[i]! <= iteration; i++)
    times.push([iterations[i]!, values[i]!]);
  return {
    part: {
      rows: series.rows.slice(given.numRows, end),
      times,
      transcripts: transcripts.filter(
        (one) => one.iteration > given.iteration && one.iteration <= iteration,
      ),
    },
    given: { numRows: end, numTimes: given.numTimes + times.length, iteration },
  };
}

/** Index after the last row of the next part. */
function wholeIterations(rows: readonly MetricRow[], from: number): number {
  if (rows.length - from <= maxRows) return rows.length;
  const isBoundary = (end: number): boolean => rows[end - 1]!.iteration !== rows[end]!.iteration;
  for (let end = from + maxRows; end > from; end--) if (isBoundary(end)) return end;
  for (let end = from + maxRows + 1; end < rows.length; end++) if (isBoundary(end)) return end;
  return rows.length;
}
