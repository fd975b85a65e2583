import type { ExperimentSpec } from '../config/experimentSpec';
import type { LoggedIntervention } from '../config/loggedIntervention';
import type { MetricKey } from '../metrics/catalog';
import {
  appendRows,
  createRunSeries,
  points,
  seenScope,
  teamId,
  type RunSeries,
  type SeriesKey,
  type SeriesPoints,
} from '../metrics/runSeries';
import type { RecordedTranscript } from './recordedTranscripts';
import type { RecordingFrame } from './recordingFrame';

/** Episodes that a recording brings along, so that its readers need not run anything. */
export const maxRecordedTranscripts = 256;

/** One line of numbers of a run, exactly as it was logged. */
export type RecordedLine = SeriesKey & SeriesPoints;

/** A run of an experiment cell that is over: what ran, on what, how it ended and what came out. */
export interface RunRecording extends Pick<
  RecordingFrame,
  | 'metrics'
  | 'ended'
  | 'message'
  | 'notices'
  | 'iterations'
  | 'wallMs'
  | 'date'
  | 'versions'
  | 'device'
> {
  /** As it ran; settings that are newer than the run say what it did then. */
  readonly spec: ExperimentSpec;
  /** Settings that changed while it ran, in order; absent where none did. */
  readonly interventions?: readonly LoggedIntervention[];
  /** Each (arm, seed, agent, metric) once; those that were not kept are absent. */
  readonly lines: readonly RecordedLine[];
  /** A sample of the episodes, oldest first; may be empty. */
  readonly transcripts: readonly RecordedTranscript[];
}

/** What a page reads of a run: the lines, and the rows that they came in, without the metrics that were not kept. */
export function recordedSeries({ lines }: Pick<RunRecording, 'lines'>): RunSeries {
  const series = createRunSeries();
  const rows = new Map<number, Map<string, RowDraft>>();
  for (const { arm, seed, agent, metric, iterations, values } of lines)
    for (const [i, iteration] of iterations.entries()) {
      const ofIteration = rows.get(iteration) ?? new Map<string, RowDraft>();
      rows.set(iteration, ofIteration);
      const group = `${arm}/${seed}/${agent}`;
      const row = ofIteration.get(group) ?? { iteration, arm, seed, agent, values: {} };
      ofIteration.set(group, row);
      row.values[metric] = values[i]!;
    }
  for (const [, ofIteration] of [...rows].toSorted(([a], [b]) => a - b))
    appendRows(series, [...ofIteration.values()]);
  return series;
}

/** A metric row before all of its numbers are there. */
type RowDraft = {
  readonly iteration: number;
  readonly arm: string;
  readonly seed: number;
  readonly agent: string;
  readonly values: Partial<Record<MetricKey, number>>;
};

/** The lines of some metrics, replica by replica in the order of the run; those that were never logged are left out. */
export function linesOf(series: RunSeries, metrics: readonly MetricKey[]): readonly RecordedLine[] {
  const { arms, seeds, agents } = seenScope(series);
  const lines: RecordedLine[] = [];
  for (const arm of arms)
    for (const seed of seeds)
      for (const agent of [...agents, teamId])
        for (const metric of metrics) {
          const { iterations, values } = points(series, { arm, seed, agent, metric });
          if (values.length > 0) lines.push({ arm, seed, agent, metric, iterations, values });
        }
  return lines;
}

/** The same run with the lines of some metrics only. */
export function withMetrics(
  recording: RunRecording,
  metrics: ReadonlySet<MetricKey>,
): RunRecording {
  return {
    ...recording,
    metrics: recording.metrics.filter((metric) => metrics.has(metric)),
    lines: recording.lines.filter(({ metric }) => metrics.has(metric)),
  };
}
