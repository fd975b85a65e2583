import { foldIn, uniformInt, type Key } from '../../rl/rng';
import type { PlanVocabulary } from './vocabulary';

/** What the draw of a task depends on. */
interface TaskSizes {
  readonly numSlots: number;
  readonly maxSubtasks: number;
  readonly numKeys: number;
  readonly numValues: number;
}

export interface PlanExecuteTask {
  /** [numSlots] as the planner sees them: VALUE tokens of known slots, KEY tokens of hidden ones. */
  readonly slotTokens: Int32Array;
  /** [numKeys] the VALUE token behind each key. Nobody sees it but the tool and the oracle. */
  readonly tableTokens: Int32Array;
}

/** Purposes of the random numbers of a task: each option changes only the draws that it is about. */
const purpose = { count: 0, choice: 1, key: 2, known: 3, table: 4 } as const;

/**
 * A task with k hidden slots, k uniform on 0..maxSubtasks, at places uniform among all choices of k slots. Keys (repeats
 * allowed), known values and the table are independent and uniform.
 */
export function drawTask(sizes: TaskSizes, ids: PlanVocabulary, key: Key): PlanExecuteTask {
  const { numSlots, maxSubtasks, numKeys, numValues } = sizes;
  const of = (name: keyof typeof purpose): Key => foldIn(key, purpose[name]);
  const [choiceKey, slotKey, knownKey, tableKey] = [
    of('choice'),
    of('key'),
    of('known'),
    of('table'),
  ];
  let numHidden = uniformInt(of('count'), 0, maxSubtasks + 1);
  const slotTokens = new Int32Array(numSlots);
  for (let slot = 0; slot < numSlots; slot++) {
    // Selection sampling: hide with probability (still to hide) / (slots left). Knuth, TAOCP vol. 2, §3.4.2, algorithm S.
    const isHidden = uniformInt(choiceKey, slot, numSlots - slot) < numHidden;
    if (isHidden) numHidden--;
    slotTokens[slot] = isHidden
      ? ids.firstKey + uniformInt(slotKey, slot, numKeys)
      : ids.firstValue + uniformInt(knownKey, slot, numValues);
  }
  const tableTokens = Int32Array.from(
    { length: numKeys },
    (_, i) => ids.firstValue + uniformInt(tableKey, i, numValues),
  );
  return { slotTokens, tableTokens };
}

/** The VALUE token behind a KEY token. */
export function valueOf(
  { tableTokens }: PlanExecuteTask,
  ids: PlanVocabulary,
  keyToken: number,
): number {
  const value = tableTokens[keyToken - ids.firstKey];
  if (value === undefined)
    throw new RangeError(
      `Token ${keyToken} is no key of a table with ${tableTokens.length} keys: check isKey before looking up.`,
    );
  return value;
}

/** Whether the answer gives every slot its value: the known ones as shown, the hidden ones as in the table. */
export function isRightAnswer(
  task: PlanExecuteTask,
  ids: PlanVocabulary,
  answerTokens: Int32Array,
): boolean {
  return task.slotTokens.every((token, slot) => {
    const right = ids.isKey(token) ? valueOf(task, ids, token) : token;
    return answerTokens[slot] === right;
  });
}
