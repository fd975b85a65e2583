import type { Call } from './workflow';

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;

/**
 * 32-bit FNV-1a over [agent, ...promptTokens], one round per id; for ids below 256 it equals FNV-1a over bytes.
 * Fowler, Noll, Vo, Eastlake, "The FNV Non-Cryptographic Hash Algorithm" (IETF draft-eastlake-fnv). Returns a uint32.
 * Agents act on what they read, so equal prompts are equal states for them (the anchor states of GiGPO).
 */
export function anchorOf(agent: number, promptTokens: Int32Array): number {
  let hash = Math.imul(fnvOffset ^ agent, fnvPrime);
  for (const token of promptTokens) hash = Math.imul(hash ^ token, fnvPrime);
  return hash >>> 0;
}

/** A call with its anchor. The prompt is kept, not copied: nobody writes to it afterwards. */
export function createCall(request: Omit<Call, 'anchor'>): Call {
  return { ...request, anchor: anchorOf(request.agent, request.promptTokens) };
}

/** Equal by content, because a call may have been copied on its way to a policy and back. */
function isSameCall(a: Call, b: Call): boolean {
  if (a === b) return true;
  if (a.agent !== b.agent || a.turnIndex !== b.turnIndex || a.actionLength !== b.actionLength)
    return false;
  if (a.invocation !== b.invocation) return false;
  const { promptTokens } = a;
  if (promptTokens.length !== b.promptTokens.length) return false;
  return promptTokens.every((token, i) => token === b.promptTokens[i]);
}

/** Throws RangeError unless `call` is one of `calls`, the calls that a state is waiting for. */
export function assertPending(calls: readonly Call[], call: Call): void {
  if (calls.some((pending) => isSameCall(pending, call))) return;
  const expected = calls.map(({ agent, turnIndex }) => `agent ${agent} in turn ${turnIndex}`);
  throw new RangeError(
    `The call of agent ${call.agent} in turn ${call.turnIndex} is not pending; ` +
      `${expected.join(', ') || 'nothing, the episode has ended,'} is. Pass a call that pending(state) returned.`,
  );
}

/** Throws RangeError unless `call` is pending and `actionTokens` has the length that it asks for. */
export function assertAction(calls: readonly Call[], call: Call, actionTokens: Int32Array): void {
  assertPending(calls, call);
  if (actionTokens.length !== call.actionLength)
    throw new RangeError(
      `The action has ${actionTokens.length} tokens, the call asks for ${call.actionLength}: ` +
        `cut the padding off before apply.`,
    );
}

/** Throws RangeError while calls are pending: rewards exist only when an episode has ended. */
export function assertEnded(calls: readonly Call[]): void {
  const [call] = calls;
  if (call)
    throw new RangeError(
      `The episode waits for agent ${call.agent} in turn ${call.turnIndex}: ` +
        `apply actions until pending(state) is empty, then ask for the reward.`,
    );
}
