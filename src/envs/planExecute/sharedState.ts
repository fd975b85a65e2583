import type { Progress } from './progress';
import { valueOf } from './task';
import type { PlanVocabulary } from './vocabulary';

/** Tokens of `hiddenTokens` for each slot. */
export const hiddenTokensPerSlot = 8;

/**
 * int32 [8 · numSlots] what decides how the episode can end: for each slot its token in the task and its right value, then of its
 * sub-call the key asked about, that key's value, the last lookup, what it returned, TURN_t and the report (NONE while it is awaited,
 * NULL if it failed). NONE where there is no sub-call, and in place of TURN_t once it is done.
 */
export function hiddenTokens(ids: PlanVocabulary, { task, invocations }: Progress): Int32Array {
  const tokens = new Int32Array(hiddenTokensPerSlot * task.slotTokens.length).fill(ids.none);
  for (const [slot, token] of task.slotTokens.entries()) {
    const start = hiddenTokensPerSlot * slot;
    tokens[start] = token;
    tokens[start + 1] = ids.isKey(token) ? valueOf(task, ids, token) : token;
  }
  for (const { slot, keyToken, queryToken, foundToken, numTurns, report } of invocations) {
    const turn = report === 'awaited' ? ids.firstTurn + numTurns : ids.none;
    const reported = report === 'awaited' ? ids.none : report === 'failed' ? ids.null : report;
    const value = valueOf(task, ids, keyToken);
    const ofCall = [keyToken, value, queryToken, foundToken, turn, reported];
    tokens.set(ofCall, hiddenTokensPerSlot * slot + 2);
  }
  return tokens;
}
