import { createTrainerClient } from '../../src/app/trainerClient';
import type { ExperimentSpec } from '../../src/config/experimentSpec';
import type { LoggedIntervention } from '../../src/config/loggedIntervention';
import { metricCatalog } from '../../src/metrics/catalog';
import { appendRows, createRunSeries } from '../../src/metrics/runSeries';
import { isMetricKey } from '../../src/notebook/names';
import { linesOf, type RunRecording } from '../../src/notebook/recording';
import type { PolicyStatus, TrainerEvent, Transcript } from '../../src/protocol/trainerApi';
import { sampleOf } from './transcriptSample';

/** What the command knows and a page does not. */
export interface Versions {
  readonly marlbook: string;
  readonly browser: string;
}

const longestText = 1000;

/** Everything: which of it a notebook reads may change. */
const metrics = Object.keys(metricCatalog).filter(isMetricKey);

/** What is gathered of a run while it lasts. */
interface Gathered {
  readonly series: ReturnType<typeof createRunSeries>;
  readonly transcripts: Transcript[];
  readonly notices: string[];
  readonly interventions: LoggedIntervention[];
  policies: readonly PolicyStatus[];
  iterations: number;
  ended: RunRecording['ended'];
  message: string | null;
}

/**
 * Runs an experiment in the page's own workers, to its end, with all that it logs.
 * @param note gets a line of progress after every event that has one
 * @throws Error when the worker itself breaks, so that nothing is worth keeping
 */
export async function recordRun(
  spec: ExperimentSpec,
  versions: Versions,
  note: (line: string) => void,
): Promise<RunRecording> {
  const gathered: Gathered = {
    series: createRunSeries(),
    transcripts: [],
    notices: [],
    interventions: [],
    policies: [],
    iterations: 0,
    ended: 'failed',
    message: null,
  };
  const progressOf = createProgress(spec);
  const startedAtMs = performance.now();
  await trained(spec, (event) => {
    gather(gathered, event);
    const line = progressOf(event);
    if (line !== null) note(line);
  });
  const { series, transcripts, policies, notices, interventions, iterations, ended, message } =
    gathered;
  return {
    spec,
    ended,
    message: message?.slice(0, longestText) ?? null,
    notices: notices.slice(0, 50),
    ...(interventions.length > 0 && { interventions }),
    iterations,
    wallMs: performance.now() - startedAtMs,
    date: new Date().toISOString(),
    versions,
    device: { userAgent: navigator.userAgent, policies: policies.map(deviceOf) },
    metrics,
    lines: linesOf(series, metrics),
    transcripts: sampleOf(transcripts),
  };
}

/** Waits for the event that ends the run: it travels on another way than the answer to `start`, and may come after it. */
async function trained(
  spec: ExperimentSpec,
  listener: (event: TrainerEvent) => void,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const listen = (event: TrainerEvent): void => {
      listener(event);
      if (event.kind !== 'finished' && event.kind !== 'failed') return;
      client.terminate();
      resolve();
    };
    const fail = (message: string): void => {
      client.terminate();
      reject(new Error(message));
    };
    const client = createTrainerClient(listen, fail);
    client.start(spec).catch((error: unknown) => fail(String(error)));
  });
}

function gather(run: Gathered, event: TrainerEvent): void {
  switch (event.kind) {
    case 'iteration':
      appendRows(run.series, event.rows);
      run.transcripts.push(...event.transcripts);
      run.iterations = event.iteration;
      break;
    case 'policies':
      run.policies = event.policies;
      break;
    case 'notice':
      run.notices.push(event.message.slice(0, longestText));
      break;
    case 'intervened':
      run.interventions.push(event.intervention);
      break;
    case 'finished':
      run.ended = event.reason;
      break;
    case 'failed':
      run.message = event.message;
      break;
    case 'phase':
    case 'throughput':
    case 'paused':
      break;
  }
}

function deviceOf({
  policyId,
  backend,
  device,
  numParameters,
}: PolicyStatus): RunRecording['device']['policies'][number] {
  return { policyId, backend, device: device.slice(0, longestText), numParameters };
}

/** Lines such as `iteration 12/120 · about 34 s left`; null for an event that says nothing about progress. */
function createProgress({ iterations }: ExperimentSpec): (event: TrainerEvent) => string | null {
  let trainingSinceMs = performance.now();
  return (event) => {
    if (event.kind === 'phase') return `${event.phase}: ${event.detail}`;
    if (event.kind !== 'iteration') return null;
    const { iteration } = event;
    if (iteration === 0) trainingSinceMs = performance.now();
    const elapsedS = (performance.now() - trainingSinceMs) / 1000;
    const leftS = (elapsedS / Math.max(1, iteration)) * (iterations - iteration);
    const left = iteration === 0 ? '' : ` · about ${Math.ceil(leftS)} s left`;
    return `iteration ${iteration}/${iterations}${left}`;
  };
}
