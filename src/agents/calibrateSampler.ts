import type { SampleCalls } from '../protocol/policyApi';
import { createCompiledSampler, type Decoding } from './compiledSampler';
import type { CompiledState } from './compiledState';
import { shortestTime } from './shortestTime';

/** Which way from token to token is the faster one on this device, for these calls. */

export interface SamplerTimes {
  /** Of one call. Unit: ms. */
  readonly batchedMs: number;
  /** Null where the path does not fit into the device's limits. */
  readonly persistentMs: number | null;
  /** The faster of them, as `createCompiledSampler` takes it. */
  readonly fastest: Decoding;
}

/** A dispatch should not take longer: the page shares the device, and long ones are taken for hung. Unit: ms. */
const longestDispatchMs = 30;

async function timePath(
  state: CompiledState,
  decoding: Decoding,
  calls: SampleCalls,
  clock: () => number,
): Promise<number> {
  const sampler = createCompiledSampler(state, decoding);
  try {
    return await shortestTime(() => sampler.sample(calls), clock);
  } finally {
    sampler.destroy();
  }
}

/** A token a dispatch first, to learn how many fit into the longest; then as many as do. Null where the path does not fit. */
async function timePersistent(
  state: CompiledState,
  calls: SampleCalls,
  clock: () => number,
): Promise<{ readonly ms: number; readonly decoding: Decoding } | null> {
  const single: Decoding = { kind: 'persistent', tokensPerDispatch: 1 };
  let singleMs: number;
  try {
    singleMs = await timePath(state, single, calls, clock);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  const numTokens = calls.actionLengths.reduce((most, length) => Math.max(most, length), 1);
  // The first pass over the prompts is in it: a token takes less.
  const tokenMs = singleMs / numTokens;
  const tokensPerDispatch = Math.max(
    1,
    Math.min(numTokens, Math.floor(longestDispatchMs / tokenMs)),
  );
  if (tokensPerDispatch === 1) return { ms: singleMs, decoding: single };
  const decoding: Decoding = { kind: 'persistent', tokensPerDispatch };
  return { ms: await timePath(state, decoding, calls, clock), decoding };
}

/**
 * Samples some times each way, with the calls of a usual turn. The turns are the same but for near ties (see `sampleTokens`), so a run that
 * is to be repeated to the last token keeps the choice it began with.
 * @param clock wall time in ms
 * @throws RangeError for no calls: there is nothing to time.
 */
export async function calibrateSampler(
  state: CompiledState,
  calls: SampleCalls,
  clock: () => number,
): Promise<SamplerTimes> {
  if (calls.replicas.length === 0)
    throw new RangeError('calibrateSampler got no calls: give it those of a usual turn.');
  const batched: Decoding = { kind: 'batched' };
  const batchedMs = await timePath(state, batched, calls, clock);
  const persistent = await timePersistent(state, calls, clock);
  const fastest = persistent !== null && persistent.ms < batchedMs ? persistent.decoding : batched;
  return { batchedMs, persistentMs: persistent?.ms ?? null, fastest };
}
