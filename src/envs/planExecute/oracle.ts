import {
  judgeTokens,
  passed,
  unreadable,
  wrongCall,
  wrongContent,
  type Judgement,
} from '../judgement';
import type { Invocation } from './progress';
import { valueOf, type PlanExecuteTask } from './task';
import type { PlanVocabulary } from './vocabulary';

/** A scripted oracle of single turns. It judges a sub-task as the planner put it, as the oracle of rewards does. */

/** Right: a sub-call about its own key for every hidden slot, none for the others; else the share of slots planned so. */
export function judgePlan(
  ids: PlanVocabulary,
  { slotTokens }: PlanExecuteTask,
  maxSubtasks: number,
  planTokens: Int32Array,
): Judgement {
  const isReadable = planTokens.every((token) => ids.isKey(token) || token === ids.skip);
  if (!isReadable || planTokens.filter((token) => ids.isKey(token)).length > maxSubtasks)
    return unreadable;
  const wanted = slotTokens.map((token) => (ids.isKey(token) ? token : ids.skip));
  return judgeTokens(planTokens, wanted, 'wrongCall');
}

/**
 * Right: a report of the value of the key asked about, or a lookup of that key. A lookup of another key and another report are wrong
 * content; a lookup of what is known already, or in the last turn, is a wrong call.
 */
export function judgeToolTurn(
  ids: PlanVocabulary,
  task: PlanExecuteTask,
  { invocation, toolTurns }: { invocation: Invocation; toolTurns: number },
  [token = 0]: Int32Array,
): Judgement {
  const { keyToken, queryToken, numTurns } = invocation;
  if (ids.isValue(token)) return token === valueOf(task, ids, keyToken) ? passed : wrongContent;
  if (!ids.isKey(token)) return unreadable;
  if (token !== keyToken) return wrongContent;
  return queryToken === keyToken || numTurns === toolTurns - 1 ? wrongCall : passed;
}

/** Right: the value of every slot; else the share of them. */
export function judgeAnswer(
  ids: PlanVocabulary,
  task: PlanExecuteTask,
  answerTokens: Int32Array,
): Judgement {
  if (!answerTokens.every((token) => ids.isValue(token))) return unreadable;
  const wanted = task.slotTokens.map((token) =>
    ids.isKey(token) ? valueOf(task, ids, token) : token,
  );
  return judgeTokens(answerTokens, wanted, 'wrongContent');
}
