import { isPlainObject } from '../../config/dataPath';
import { exactNumberJson } from '../../config/exactNumber';
import { transcriptSchema } from '../../config/transcriptSchema';
import { appendRows, appendTrainingTime, createRunSeries } from '../../metrics/runSeries';
import type { Transcript } from '../../protocol/trainerApi';
import { originOf, type Here } from '../recordedRun';
import { elapsedMs, initialRunState, isActive, type RunState } from '../runState';
import { byIteration } from './byIteration';
import { parseRowsRecord, type RunRecord } from './records';
import type { KeptRun } from './runKeeper';
import type { StoredLog } from './shelf';

/** Between a run on the page and one in the database. */

const longestText = 1000;

/**
 * What is told of a run beside what it logged.
 * @param iteration the last one that is stored with it
 */
export function recordOf(
  { runId, notebookId, experiment }: KeptRun,
  run: RunState,
  stored: { readonly iteration: number; readonly bytes: number; readonly nowMs: number },
  here: Here,
): RunRecord {
  const { spec, phase, message, notices } = run;
  if (spec === null) throw new Error('A run without a specification has nothing to store.');
  const upToNow = { ...run, endedAtMs: run.endedAtMs ?? stored.nowMs };
  return {
    id: runId,
    notebookId,
    experiment,
    spec,
    ended: endingOf(phase),
    message: message?.slice(0, longestText) ?? null,
    notices: notices.slice(0, 50).map((notice) => notice.slice(0, longestText)),
    iteration: stored.iteration,
    wallMs: elapsedMs(run, stored.nowMs),
    bytes: stored.bytes,
    ...originOf(upToNow, here),
  };
}

function endingOf(phase: RunState['phase']): RunRecord['ended'] {
  if (isActive(phase)) return 'open';
  if (phase === 'finished') return 'completed';
  return phase === 'failed' ? 'failed' : 'stopped';
}

const phases = {
  completed: 'finished',
  stopped: 'stopped',
  failed: 'failed',
  // The page was left while it was at work.
  open: 'stopped',
} as const;

/**
 * A stored run as the page shows runs: over, with all of its numbers. Throws RangeError with what is wrong where they do not fit together.
 * @param isElsewhere another tab has its notebook open, and may go on with it
 */
export function stateOfRecord(record: RunRecord, log: StoredLog, isElsewhere: boolean): RunState {
  const series = createRunSeries();
  let secondsBefore = 0;
  for (const [index, data] of log.rows.entries()) {
    const part = parseRowsRecord(data);
    if (part === null)
      throw new RangeError(`Part ${index + 1} of its numbers is no list of rows and times.`);
    for (const [, rows] of byIteration(part.rows)) appendRows(series, rows);
    for (const [iteration, seconds] of part.times) {
      appendTrainingTime(series, iteration, 1000 * (seconds - secondsBefore));
      secondsBefore = seconds;
    }
  }
  const { date, versions, device } = record;
  return {
    ...initialRunState,
    phase: phases[record.ended],
    spec: record.spec,
    iteration: series.rows.at(-1)?.iteration ?? 0,
    series,
    revision: series.revision,
    transcripts: log.episodes.flatMap(transcriptsIn),
    notices: record.notices,
    message: record.message,
    startedAtMs: 0,
    endedAtMs: record.wallMs,
    recorded: { date, versions, device },
    kept: { runId: record.id, wasLeft: record.ended === 'open' && !isElsewhere },
  };
}

/** The episodes of one iteration that can be read: to read on without one is better than to read nothing. */
function transcriptsIn(data: unknown): readonly Transcript[] {
  const transcripts = isPlainObject(data) ? data['transcripts'] : null;
  if (!Array.isArray(transcripts)) return [];
  return transcripts.flatMap((one: unknown) => {
    // As in a file, where some numbers stand as text.
    const text = JSON.stringify(one, (_key, value: unknown) =>
      typeof value === 'number' ? exactNumberJson(value) : value,
    );
    const parsed = transcriptSchema.safeParse(JSON.parse(text));
    return parsed.success ? [parsed.data] : [];
  });
}
