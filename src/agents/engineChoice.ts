import type { ComputeBackend } from '../config/experimentSpec';
import type {
  CohortLoad,
  CohortRequest,
  DecodingTimes,
  EngineTimes,
  PolicyInfo,
  ReplicaHyper,
} from '../protocol/policyApi';
import { batchOf, callsOf } from './engineLoad';
import type { PolicyEngine } from './policyEngine';
import { shortestTime } from './shortestTime';

/** Which engine is the fastest for this very cohort, on this machine and in this browser: each starts, is tested, and is timed. */

export interface Candidate {
  readonly backend: ComputeBackend;
  readonly make: () => PolicyEngine;
}

/** An engine with its cohort. */
export interface OpenedEngine {
  readonly engine: PolicyEngine;
  readonly info: PolicyInfo;
}

/** A cohort to be, and what it will have to do. */
export interface Asked {
  readonly request: CohortRequest;
  readonly replicas: readonly ReplicaHyper[];
  readonly load: CohortLoad | undefined;
}

/** A candidate that has started, or why it has not. */
interface Started {
  readonly backend: ComputeBackend;
  readonly opened: OpenedEngine | null;
  readonly refusal: string | null;
}

async function start(
  { backend, make }: Candidate,
  { request, replicas, load }: Asked,
): Promise<Started> {
  const engine = make();
  try {
    const info = await engine.create({ ...request, backend }, replicas, load);
    return { backend, opened: { engine, info }, refusal: null };
  } catch (error) {
    await engine.dispose();
    const refusal = error instanceof Error ? error.message : String(error);
    return { backend, opened: null, refusal };
  }
}

/** Of the way that was taken: its calibration was of the same load. Unit: ms. */
function decodingMs(decoding: DecodingTimes): number {
  return Math.min(decoding.batchedMs, decoding.persistentMs ?? Infinity);
}

/** One `sample` and one `update` of the load; the policy is afterwards what it was. */
async function timeEngine(
  { engine, info }: OpenedEngine,
  { request, replicas }: Asked,
  load: CohortLoad,
  now: () => number,
): Promise<{ readonly sampleMs: number; readonly updateMs: number }> {
  const before = await engine.checkpoint();
  const calls = callsOf(request, replicas.length, load);
  const sampleMs =
    info.decoding === null
      ? await shortestTime(() => engine.sample(calls), now)
      : decodingMs(info.decoding);
  const batch = batchOf(request, replicas.length, load);
  const updateMs = await shortestTime(() => engine.update(batch), now);
  await engine.restore(before);
  return { sampleMs, updateMs };
}

/** The first candidate that starts, untimed. Throws what the last one threw. */
export async function openFirst(
  candidates: readonly Candidate[],
  { request, replicas, load }: Asked,
): Promise<OpenedEngine> {
  let failure: unknown = new Error('There is no backend to start.');
  for (const { backend, make } of candidates) {
    const engine = make();
    try {
      return { engine, info: await engine.create({ ...request, backend }, replicas, load) };
    } catch (error) {
      await engine.dispose();
      failure = error;
    }
  }
  throw failure;
}

interface Timed extends Started {
  readonly times: EngineTimes;
}

/** An engine that fails at the load is out, too. */
async function timed(started: Started, asked: Asked, now: () => number): Promise<Timed> {
  const { backend, opened, refusal } = started;
  const untimed = { backend, sampleMs: null, updateMs: null };
  if (opened === null || asked.load === undefined)
    return { ...started, times: { ...untimed, refusal } };
  try {
    const measured = await timeEngine(opened, asked, asked.load, now);
    return { ...started, times: { backend, ...measured, refusal: null } };
  } catch (error) {
    await opened.engine.dispose();
    const reason = error instanceof Error ? error.message : String(error);
    return { ...started, opened: null, times: { ...untimed, refusal: reason } };
  }
}

/** Infinite where it did not start; 0 where nothing was to be timed, so that the first that started stays. */
function totalMs({ times, opened }: Timed): number {
  return opened === null ? Infinity : (times.sampleMs ?? 0) + (times.updateMs ?? 0);
}

/**
 * The candidate whose `sample` and `update` together take the least time; the others are disposed. One after another, so that they do not
 * slow each other down. Where a single one starts there is nothing to compare, and nothing is timed.
 * @throws Error with the reason of each when none starts
 */
export async function chooseEngine(
  candidates: readonly Candidate[],
  asked: Asked,
  now: () => number,
): Promise<OpenedEngine> {
  const started: Started[] = [];
  for (const candidate of candidates) started.push(await start(candidate, asked));
  const isChoice = started.filter(({ opened }) => opened !== null).length > 1;
  const tried: Timed[] = [];
  for (const candidate of started)
    tried.push(await timed(candidate, isChoice ? asked : { ...asked, load: undefined }, now));
  const best = tried.reduce((a, b) => (totalMs(b) < totalMs(a) ? b : a));
  if (best.opened === null)
    throw new Error(
      `No backend starts here. ${tried.map(({ times }) => `${times.backend}: ${times.refusal}`).join(' ')}`,
    );
  for (const other of tried) if (other !== best) await other.opened?.engine.dispose();
  const { engine, info } = best.opened;
  return { engine, info: { ...info, compared: tried.map(({ times }) => times) } };
}
