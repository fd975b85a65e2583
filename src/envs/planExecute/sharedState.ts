import type { Invocation, Progress } from './progress';
import { valueOf } from './task';
import type { PlanVocabulary } from './vocabulary';

/** Tokens of `hiddenTokens` for each slot. */
const tokensPerSlot = 9;

/** Tokens of `hiddenTokens`. */
export function numHiddenTokens(sizes: { numSlots: number; numKeys: number }): number {
  return sizes.numKeys + tokensPerSlot * sizes.numSlots;
}

/**
 * int32 [numKeys + 9 · numSlots] what decides how the episode can end: the table, then for each slot its token in the task, its right
 * value, and of its sub-call the key asked about, that key's value, the last lookup, what it returned, TURN_t, the report (NONE while
 * it is awaited, NULL if it failed), and TOOL if it is the one at work. NONE where there is no sub-call, and in place of TURN_t once
 * it is done. The whole table: a plan can ask about any key, and the report is then judged by that key's value.
 * @param atWork the sub-call whose turn it is: parallel ones may read the same prompt and yet be worth different things. Undefined:
 * the planner plans or answers
 */
export function hiddenTokens(
  ids: PlanVocabulary,
  { task, invocations }: Progress,
  atWork: Invocation | undefined,
): Int32Array {
  const { slotTokens, tableTokens } = task;
  const sizes = { numSlots: slotTokens.length, numKeys: tableTokens.length };
  const tokens = new Int32Array(numHiddenTokens(sizes)).fill(ids.none);
  tokens.set(tableTokens);
  const startOf = (slot: number): number => tableTokens.length + tokensPerSlot * slot;
  for (const [slot, token] of slotTokens.entries())
    tokens.set([token, ids.isKey(token) ? valueOf(task, ids, token) : token], startOf(slot));
  for (const { slot, keyToken, queryToken, foundToken, numTurns, report } of invocations) {
    const turn = report === 'awaited' ? ids.firstTurn + numTurns : ids.none;
    const reported = report === 'awaited' ? ids.none : report === 'failed' ? ids.null : report;
    const value = valueOf(task, ids, keyToken);
    const mark = slot === atWork?.slot ? ids.tool : ids.none;
    const ofCall = [keyToken, value, queryToken, foundToken, turn, reported, mark];
    tokens.set(ofCall, startOf(slot) + 2);
  }
  return tokens;
}
