import type { ScoreTurns } from '../protocol/policyApi';
import type { ExperimentPlan } from './cohorts';
import type { Turn } from './experience';

/** Packs turns of one cohort into the arrays that cross to its worker; padded with 0 on the right. */
export function packTurnArrays(
  plan: ExperimentPlan,
  items: readonly { readonly replica: number; readonly turn: Turn }[],
): ScoreTurns {
  const widest = (lengthOf: (turn: Turn) => number): number =>
    items.reduce((width, { turn }) => Math.max(width, lengthOf(turn)), 1);
  const promptWidth = widest((turn) => turn.promptTokens.length);
  const actionWidth = widest((turn) => turn.actionTokens.length);
  const count = items.length;
  const arrays = {
    replicas: new Int32Array(count),
    promptTokens: new Int32Array(count * promptWidth),
    promptLengths: new Int32Array(count),
    promptWidth,
    actionTokens: new Int32Array(count * actionWidth),
    actionLengths: new Int32Array(count),
    actionWidth,
  };
  for (const [row, { replica, turn }] of items.entries()) {
    arrays.replicas[row] = plan.replicas[replica]!.seats[turn.agent]!.slot;
    arrays.promptTokens.set(turn.promptTokens, row * promptWidth);
    arrays.promptLengths[row] = turn.promptTokens.length;
    arrays.actionTokens.set(turn.actionTokens, row * actionWidth);
    arrays.actionLengths[row] = turn.actionTokens.length;
  }
  return arrays;
}
