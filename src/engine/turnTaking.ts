import type { Call } from '../envs/workflow';
import type { PolicyApi, SampleCalls, SampledTurns } from '../protocol/policyApi';
import type { Key } from '../rl/rng';
import type { ReplicaPlan } from './cohorts';
import type { Turn } from './experience';
import { turnKey } from './randomStreams';

/** How calls of many episodes become batches for the policies, and their answers turns. */

/** A call that waits for its policy; `owner` is whoever wants the answer. */
export interface WaitingCall<Owner> {
  readonly owner: Owner;
  readonly call: Call;
  /** Of the episode; the turn's own key is folded from it. */
  readonly noiseKey: Key;
  readonly cohort: number;
  readonly slot: number;
}

/** What a policy wrote. */
export interface WrittenTurn {
  readonly actionTokens: Int32Array;
  /** Unit: nats. */
  readonly rolloutLogprobs: Float32Array;
}

/** Packs the waiting calls of one cohort into the arrays that cross to its worker. */
function toSampleCalls(waiting: readonly WaitingCall<unknown>[], greedy: boolean): SampleCalls {
  const promptWidth = waiting.reduce((w, { call }) => Math.max(w, call.promptTokens.length), 1);
  const calls = {
    replicas: new Int32Array(waiting.length),
    promptTokens: new Int32Array(waiting.length * promptWidth),
    promptLengths: new Int32Array(waiting.length),
    promptWidth,
    actionLengths: new Int32Array(waiting.length),
    noiseKeys: new Uint32Array(2 * waiting.length),
    greedy,
  };
  for (const [row, { noiseKey, call, slot }] of waiting.entries()) {
    calls.replicas[row] = slot;
    calls.promptTokens.set(call.promptTokens, row * promptWidth);
    calls.promptLengths[row] = call.promptTokens.length;
    calls.actionLengths[row] = call.actionLength;
    calls.noiseKeys.set(turnKey(noiseKey, call.turnIndex, call.agent), 2 * row);
  }
  return calls;
}

function writtenAt(
  { actionTokens, rolloutLogprobs }: SampledTurns,
  row: number,
  { width, length }: { width: number; length: number },
): WrittenTurn {
  const [from, to] = [row * width, row * width + length];
  return {
    actionTokens: actionTokens.subarray(from, to),
    rolloutLogprobs: rolloutLogprobs.subarray(from, to),
  };
}

/** One wave: the calls of one policy are one batch, and different policies sample at the same time. In the order of `waiting`, by cohort. */
export async function sampleWave<Owner>(
  policies: readonly PolicyApi[],
  waiting: readonly WaitingCall<Owner>[],
  greedy: boolean,
): Promise<{ readonly waiting: WaitingCall<Owner>; readonly written: WrittenTurn }[]> {
  const byCohort = new Map<number, WaitingCall<Owner>[]>();
  for (const call of waiting) {
    const batch = byCohort.get(call.cohort) ?? [];
    byCohort.set(call.cohort, batch);
    batch.push(call);
  }
  const answers = Array.from(byCohort, async ([cohort, batch]) => {
    const sampled = await policies[cohort]!.sample(toSampleCalls(batch, greedy));
    const width = sampled.actionTokens.length / batch.length;
    return batch.map((call, row) => ({
      waiting: call,
      written: writtenAt(sampled, row, { width, length: call.call.actionLength }),
    }));
  });
  return (await Promise.all(answers)).flat();
}

/** Does the replica's estimator have a critic that reads the shared state? */
export function readsState({ training: { estimator } }: ReplicaPlan): boolean {
  return 'critic' in estimator && estimator.critic === 'state';
}

/** The state after an action, and the turn as it is remembered. */
export function takeTurn(
  plan: ReplicaPlan,
  state: unknown,
  call: Call,
  { actionTokens, rolloutLogprobs }: WrittenTurn,
): { readonly state: unknown; readonly turn: Turn } {
  const { workflow } = plan;
  const judgement = workflow.judge(state, call, actionTokens);
  const stateTokens = readsState(plan) ? workflow.stateTokens(state, call) : null;
  const outcome = workflow.apply(state, call, actionTokens);
  const turn = {
    agent: call.agent,
    turnIndex: call.turnIndex,
    promptTokens: call.promptTokens,
    origins: call.origins,
    actionTokens,
    stateTokens,
    rolloutLogprobs,
    isValid: outcome.isValid,
    penalty: outcome.penalty,
    judgement,
    branchReward: null,
    siblings: null,
    anchor: call.anchor,
    invocation: call.invocation ?? null,
  };
  return { state: outcome.state, turn };
}
