import { metricCatalog } from '../metrics/catalog';
import { isMetricKey } from '../notebook/names';
import {
  linesOf,
  maxRecordedTranscripts,
  recordedSeries,
  type RunRecording,
} from '../notebook/recording';
import { elapsedMs, initialRunState, type RecordedOrigin, type RunState } from './runState';

/** Between a run on the page and one in a file. */

const phases = { completed: 'finished', stopped: 'stopped', failed: 'failed' } as const;

/** A recorded run as the page shows runs: over, with everything that was kept of it. */
export function stateOfRecording(recording: RunRecording): RunState {
  const series = recordedSeries(recording);
  const { date, versions, device } = recording;
  return {
    ...initialRunState,
    phase: phases[recording.ended],
    spec: recording.spec,
    iteration: recording.iterations,
    series,
    revision: series.revision,
    transcripts: recording.transcripts,
    notices: recording.notices,
    message: recording.message,
    startedAtMs: 0,
    endedAtMs: recording.wallMs,
    recorded: { date, versions, device },
  };
}

const endings = { finished: 'completed', stopped: 'stopped', failed: 'failed' } as const;

const longestText = 1000;

/** When and where a run of this page is written down. */
export interface Here {
  /** Since 1970, of the moment from which this page counts its times. Unit: ms. */
  readonly timeOriginMs: number;
  readonly userAgent: string;
  readonly marlbook: string;
}

/** Where and when a run was made; of one that goes on, as far as that is known. */
export function originOf({ recorded, policies, endedAtMs }: RunState, here: Here): RecordedOrigin {
  if (recorded !== null) return recorded;
  const { timeOriginMs, userAgent, marlbook } = here;
  return {
    // When the run ended, not when it was saved: saved twice it is the same.
    date: new Date(timeOriginMs + (endedAtMs ?? 0)).toISOString(),
    versions: { marlbook, browser: browserIn(userAgent) },
    device: {
      userAgent,
      policies: policies.map(({ policyId, backend, device, numParameters }) => ({
        policyId,
        backend,
        device,
        numParameters,
      })),
    },
  };
}

/** A run that is over, with all of its numbers and the newest of its episodes; null for one that is not, or has nothing. */
export function recordingOfState(run: RunState, here: Here): RunRecording | null {
  const { spec, phase } = run;
  const isOver = phase === 'finished' || phase === 'stopped' || phase === 'failed';
  if (spec === null || !isOver || run.revision === 0) return null;
  const lines = linesOf(run.series, Object.keys(metricCatalog).filter(isMetricKey));
  return {
    spec,
    metrics: [...new Set(lines.map(({ metric }) => metric))],
    ended: endings[phase],
    message: run.message?.slice(0, longestText) ?? null,
    notices: run.notices.slice(0, 50).map((notice) => notice.slice(0, longestText)),
    iterations: run.iteration,
    wallMs: elapsedMs(run, 0),
    ...originOf(run, here),
    lines,
    transcripts: run.transcripts.slice(-maxRecordedTranscripts),
  };
}

/** `Chrome/142.0.0.0` */
function browserIn(userAgent: string): string {
  return /(?:Edg|Chrome|Firefox)\/[\d.]+/.exec(userAgent)?.[0] ?? 'unknown browser';
}
