import type { ComputeBackend } from '../config/experimentSpec';
import type {
  CohortLoad,
  CohortRequest,
  EngineTimes,
  PolicyInfo,
  ReplicaHyper,
} from '../protocol/policyApi';
import { batchOf, callsOf } from './engineLoad';
import type { PolicyEngine } from './policyEngine';

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

/** Timing goes on until this has been spent, or so many calls. */
const [longestMs, mostCalls] = [500, 3];

/** Shortest of some calls after one that compiles and fills caches. Unit: ms. */
async function shortestMs(call: () => Promise<unknown>, now: () => number): Promise<number> {
  await call();
  const startMs = now();
  let shortest = Infinity;
  for (let count = 0; count < mostCalls && now() - startMs < longestMs; count++) {
    const beforeMs = now();
    await call();
    shortest = Math.min(shortest, now() - beforeMs);
  }
  return shortest;
}

/** One `sample` and one `update` of the load; the policy is afterwards what it was. */
async function timeEngine(
  engine: PolicyEngine,
  { request, replicas }: Asked,
  load: CohortLoad,
  now: () => number,
): Promise<{ readonly sampleMs: number; readonly updateMs: number }> {
  const before = await engine.checkpoint();
  const calls = callsOf(request, replicas.length, load);
  const sampleMs = await shortestMs(() => engine.sample(calls), now);
  const batch = batchOf(request, replicas.length, load);
  const updateMs = await shortestMs(() => engine.update(batch), now);
  await engine.restore(before);
  return { sampleMs, updateMs };
}

interface Timed {
  readonly times: EngineTimes;
  readonly opened: OpenedEngine | null;
}

async function tryCandidate(
  { backend, make }: Candidate,
  asked: Asked,
  now: () => number,
): Promise<Timed> {
  const engine = make();
  const { request, replicas, load } = asked;
  try {
    const info = await engine.create({ ...request, backend }, replicas, load);
    const measured =
      load === undefined
        ? { sampleMs: null, updateMs: null }
        : await timeEngine(engine, asked, load, now);
    return { times: { backend, ...measured, refusal: null }, opened: { engine, info } };
  } catch (error) {
    await engine.dispose();
    const refusal = error instanceof Error ? error.message : String(error);
    return { times: { backend, sampleMs: null, updateMs: null, refusal }, opened: null };
  }
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

/** Infinite where it did not start; 0 where nothing was to be timed, so that the first that started stays. */
function totalMs({ times, opened }: Timed): number {
  return opened === null ? Infinity : (times.sampleMs ?? 0) + (times.updateMs ?? 0);
}

/**
 * The candidate whose `sample` and `update` together take the least time; the others are disposed. One after another, so that they do not
 * slow each other down.
 * @throws Error with the reason of each when none starts
 */
export async function chooseEngine(
  candidates: readonly Candidate[],
  asked: Asked,
  now: () => number,
): Promise<OpenedEngine> {
  const tried: Timed[] = [];
  for (const candidate of candidates) tried.push(await tryCandidate(candidate, asked, now));
  const best = tried.reduce((a, b) => (totalMs(b) < totalMs(a) ? b : a));
  if (best.opened === null)
    throw new Error(
      `No backend starts here. ${tried.map(({ times }) => `${times.backend}: ${times.refusal}`).join(' ')}`,
    );
  for (const other of tried) if (other !== best) await other.opened?.engine.dispose();
  const { engine, info } = best.opened;
  return { engine, info: { ...info, compared: tried.map(({ times }) => times) } };
}
