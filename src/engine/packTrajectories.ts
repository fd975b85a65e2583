import type { SavedRollouts } from '../config/checkpointSchema';
import type { TurnTag } from '../envs/judgement';
import type { Trajectory, Turn } from './experience';
import { toTable, type Row } from './numberTable';

/**
 * Rollouts as a few arrays, for a file: a table of trajectories, one of invocations, one of turns, all tokens one after another (of each
 * turn prompt, origins, action, state) and all log-probabilities. −1 stands for null where numbers are counts.
 */

export const trajectoryColumns = [
  'batch',
  'task',
  'numTurns',
  'teamReward',
  'mainReward',
  'numInvocations',
] as const;
export const invocationColumns = ['agent', 'invocation', 'reward'] as const;
export const turnColumns = [
  'agent',
  'turnIndex',
  'promptLength',
  'actionLength',
  'stateLength',
  'isValid',
  'penalty',
  'tag',
  'localReward',
  'hasBranchReward',
  'branchReward',
  'siblings',
  'anchor',
  'invocation',
] as const;

type TrajectoryRow = Row<(typeof trajectoryColumns)[number]>;
type TurnRow = Row<(typeof turnColumns)[number]>;

/** In the order of their numbers. */
export const turnTags: readonly TurnTag[] = ['pass', 'unreadable', 'wrongCall', 'wrongContent'];

function trajectoryRow({ batch, task, turns, teamReward, rewards }: Trajectory): TrajectoryRow {
  return {
    batch,
    task,
    numTurns: turns.length,
    teamReward,
    mainReward: rewards?.main ?? 0,
    numInvocations: rewards?.invocations.length ?? -1,
  };
}

function turnRow(turn: Turn): TurnRow {
  return {
    agent: turn.agent,
    turnIndex: turn.turnIndex,
    promptLength: turn.promptTokens.length,
    actionLength: turn.actionTokens.length,
    stateLength: turn.stateTokens?.length ?? -1,
    isValid: Number(turn.isValid),
    penalty: turn.penalty,
    tag: turnTags.indexOf(turn.judgement.tag),
    localReward: turn.judgement.localReward,
    hasBranchReward: Number(turn.branchReward !== null),
    branchReward: turn.branchReward ?? 0,
    siblings: turn.siblings ?? -1,
    anchor: turn.anchor,
    invocation: turn.invocation ?? -1,
  };
}

function joined(parts: readonly Int32Array[]): Int32Array<ArrayBuffer> {
  const all = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

/** Their replica is not part of it. */
export function packTrajectories(trajectories: readonly Trajectory[]): SavedRollouts {
  const turns = trajectories.flatMap((trajectory) => trajectory.turns);
  const logprobs = new Float32Array(
    turns.reduce((sum, { rolloutLogprobs }) => sum + rolloutLogprobs.length, 0),
  );
  let offset = 0;
  for (const { rolloutLogprobs } of turns) {
    logprobs.set(rolloutLogprobs, offset);
    offset += rolloutLogprobs.length;
  }
  return {
    trajectories: toTable(trajectoryColumns, trajectories.map(trajectoryRow)),
    invocations: toTable(
      invocationColumns,
      trajectories.flatMap(({ rewards }) => rewards?.invocations ?? []),
    ),
    turns: toTable(turnColumns, turns.map(turnRow)),
    tokens: joined(
      turns.flatMap(({ promptTokens, origins, actionTokens, stateTokens }) =>
        stateTokens === null
          ? [promptTokens, origins, actionTokens]
          : [promptTokens, origins, actionTokens, stateTokens],
      ),
    ),
    logprobs,
  };
}
