import type { SavedRollouts } from '../config/checkpointSchema';
import type { Judgement, TurnTag } from '../envs/judgement';
import type { TrajectoryRewards } from '../envs/workflow';
import { requireFit } from './checkpointMisfit';
import type { ReplicaPlan } from './cohorts';
import type { Trajectory, Turn } from './experience';
import { readsState } from './turnTaking';

/**
 * Rollouts as a few arrays, for a file: a table of trajectories, one of invocations, one of turns, all tokens one after another (of each
 * turn prompt, origins, action, state) and all log-probabilities. −1 stands for null where numbers are counts.
 */

const trajectoryColumns = [
  'batch',
  'task',
  'numTurns',
  'teamReward',
  'mainReward',
  'numInvocations',
] as const;
const invocationColumns = ['agent', 'invocation', 'reward'] as const;
const turnColumns = [
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

type Row<Column extends string> = Readonly<Record<Column, number>>;
type TrajectoryRow = Row<(typeof trajectoryColumns)[number]>;
type TurnRow = Row<(typeof turnColumns)[number]>;

const tags: readonly TurnTag[] = ['pass', 'unreadable', 'wrongCall', 'wrongContent'];

/** [rows, columns] */
function toTable<Column extends string>(
  columns: readonly Column[],
  rows: readonly Row<Column>[],
): Float64Array<ArrayBuffer> {
  return Float64Array.from(rows.flatMap((row) => columns.map((column) => row[column])));
}

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
    tag: tags.indexOf(turn.judgement.tag),
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

/** Least and largest whole number of a column; a column without a range holds any finite numbers. */
type Ranges<Column extends string> = Readonly<Partial<Record<Column, readonly [number, number]>>>;

/** A table that is read from top to bottom. */
interface Table<Column extends string> {
  next(): Row<Column>;
  /** All rows were read. */
  isDone(): boolean;
}

function tableOf<Column extends string>(
  place: string,
  columns: readonly Column[],
  values: Float64Array,
  ranges: Ranges<Column>,
): Table<Column> {
  let at = 0;
  const isWhole = values.length % columns.length === 0;
  requireFit(isWhole, place, `${values.length} numbers are no rows of ${columns.length}`);
  return {
    next() {
      requireFit(at < values.length, place, 'there are fewer rows than are spoken of');
      const row = Object.fromEntries(
        columns.map((column, i) => {
          const value = values[at + i]!;
          const range = ranges[column];
          const fits =
            range === undefined ||
            (Number.isSafeInteger(value) && value >= range[0] && value <= range[1]);
          requireFit(fits, place, `${column} is ${value}, expected ${range?.join(' to ')}`);
          return [column, value];
        }),
      );
      at += columns.length;
      return row as Record<Column, number>;
    },
    isDone: () => at === values.length,
  };
}

/** Arrays that are read from front to back. */
function partsOf<T extends Int32Array | Float32Array>(
  place: string,
  values: T,
): { readonly next: (length: number) => T; readonly isDone: () => boolean } {
  let at = 0;
  return {
    next(length) {
      requireFit(at + length <= values.length, place, 'there are fewer than are spoken of');
      at += length;
      return values.slice(at - length, at) as T;
    },
    isDone: () => at === values.length,
  };
}

function turnRanges({ workflow }: ReplicaPlan): Ranges<keyof TurnRow> {
  const { spec } = workflow;
  const most = Number.MAX_SAFE_INTEGER;
  return {
    agent: [0, spec.agents.length - 1],
    turnIndex: [0, spec.maxTurns - 1],
    promptLength: [1, spec.maxPromptTokens],
    actionLength: [1, spec.maxActionTokens],
    stateLength: [-1, spec.maxStateTokens],
    isValid: [0, 1],
    tag: [0, tags.length - 1],
    hasBranchReward: [0, 1],
    siblings: [-1, most],
    anchor: [-most, most],
    invocation: [-1, spec.maxTurns - 1],
  };
}

function judgementOf({ tag, localReward }: TurnRow): Judgement {
  return { tag: tags[tag]!, localReward };
}

/**
 * The rollouts of `plan` in the order in which they were packed. Throws a CheckpointMisfit where they cannot be of it.
 * @param place of the rollouts in the checkpoint, for the message
 */
export function unpackTrajectories(
  plan: ReplicaPlan,
  packed: SavedRollouts,
  place: string,
): Trajectory[] {
  const { workflow, training } = plan;
  const { agents, maxTurns, vocabulary } = workflow.spec;
  const most = Number.MAX_SAFE_INTEGER;
  const rows = tableOf(`${place}.trajectories`, trajectoryColumns, packed.trajectories, {
    batch: [1, most],
    task: [0, training.groups.tasksPerIteration - 1],
    numTurns: [1, maxTurns],
    numInvocations: [-1, maxTurns],
  });
  const invocations = tableOf(`${place}.invocations`, invocationColumns, packed.invocations, {
    agent: [0, agents.length - 1],
    invocation: [0, maxTurns - 1],
  });
  const turns = tableOf(`${place}.turns`, turnColumns, packed.turns, turnRanges(plan));
  const [ints, floats] = [
    partsOf(`${place}.tokens`, packed.tokens),
    partsOf(`${place}.logprobs`, packed.logprobs),
  ];
  const nextTokens = (length: number): Int32Array => {
    const tokens = ints.next(length);
    const areKnown = tokens.every((token) => token >= 0 && token < vocabulary.length);
    requireFit(areKnown, `${place}.tokens`, `expected tokens from 0 to ${vocabulary.length - 1}`);
    return tokens;
  };
  const { sampling } = training.groups;
  const nextTurn = (): Turn => {
    const row = turns.next();
    const fits =
      row.stateLength >= 0 === readsState(plan) &&
      row.hasBranchReward === Number(sampling !== 'parallel') &&
      row.siblings >= 0 === (sampling === 'expand') &&
      row.penalty >= 0;
    requireFit(fits, `${place}.turns`, 'a turn has parts that turns of this run do not have');
    const promptTokens = nextTokens(row.promptLength);
    const origins = ints.next(row.promptLength);
    const areTurns = origins.every((origin) => origin >= -1 && origin < maxTurns);
    requireFit(areTurns, `${place}.tokens`, `expected origins from -1 to ${maxTurns - 1}`);
    return {
      agent: row.agent,
      turnIndex: row.turnIndex,
      promptTokens,
      origins,
      actionTokens: nextTokens(row.actionLength),
      stateTokens: row.stateLength < 0 ? null : nextTokens(row.stateLength),
      rolloutLogprobs: floats.next(row.actionLength),
      isValid: row.isValid === 1,
      penalty: row.penalty,
      judgement: judgementOf(row),
      branchReward: row.hasBranchReward === 1 ? row.branchReward : null,
      siblings: row.siblings < 0 ? null : row.siblings,
      anchor: row.anchor,
      invocation: row.invocation < 0 ? null : row.invocation,
    };
  };
  const nextRewards = ({ mainReward, numInvocations }: TrajectoryRow): TrajectoryRewards | null =>
    numInvocations < 0
      ? null
      : {
          main: mainReward,
          invocations: Array.from({ length: numInvocations }, () => invocations.next()),
        };
  const all: Trajectory[] = [];
  while (!rows.isDone()) {
    const row = rows.next();
    const { batch, task, numTurns, teamReward } = row;
    const own = Array.from({ length: numTurns }, nextTurn);
    const rewards = nextRewards(row);
    all.push({ replica: plan.index, batch, task, turns: own, teamReward, rewards });
  }
  const areDone = [turns, invocations, ints, floats].every((part) => part.isDone());
  requireFit(areDone, place, 'there is more than the table of trajectories speaks of');
  return all;
}
