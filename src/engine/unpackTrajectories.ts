import type { SavedRollouts } from '../config/checkpointSchema';
import type { TrajectoryRewards } from '../envs/workflow';
import { requireFit } from './checkpointMisfit';
import type { ReplicaPlan } from './cohorts';
import type { Trajectory, Turn } from './experience';
import { readParts, readTable, type Parts, type Ranges, type Table } from './numberTable';
import { invocationColumns, trajectoryColumns, turnColumns, turnTags } from './packTrajectories';
import { readsState } from './turnTaking';

/** The inverse of `packTrajectories`: every number is looked at, since what is wrong here would be learned from. */

type TurnColumn = (typeof turnColumns)[number];
type InvocationColumn = (typeof invocationColumns)[number];
type TrajectoryColumn = (typeof trajectoryColumns)[number];

/** The arrays, read from front to back. */
interface Reading {
  readonly plan: ReplicaPlan;
  readonly place: string;
  readonly trajectories: Table<TrajectoryColumn>;
  readonly invocations: Table<InvocationColumn>;
  readonly turns: Table<TurnColumn>;
  readonly tokens: Parts<Int32Array>;
  readonly logprobs: Parts<Float32Array>;
}

const most = Number.MAX_SAFE_INTEGER;

function turnRanges({ workflow: { spec } }: ReplicaPlan): Ranges<TurnColumn> {
  return {
    agent: [0, spec.agents.length - 1],
    turnIndex: [0, spec.maxTurns - 1],
    promptLength: [1, spec.maxPromptTokens],
    actionLength: [1, spec.maxActionTokens],
    stateLength: [-1, spec.maxStateTokens],
    isValid: [0, 1],
    penalty: null,
    tag: [0, turnTags.length - 1],
    localReward: null,
    hasBranchReward: [0, 1],
    branchReward: null,
    siblings: [-1, most],
    anchor: [-most, most],
    invocation: [-1, spec.maxTurns - 1],
  };
}

function open(plan: ReplicaPlan, packed: SavedRollouts, place: string): Reading {
  const { agents, maxTurns } = plan.workflow.spec;
  const { tokens, logprobs } = packed;
  return {
    plan,
    place,
    trajectories: readTable(`${place}.trajectories`, trajectoryColumns, packed.trajectories, {
      batch: [1, most],
      task: [0, plan.training.groups.tasksPerIteration - 1],
      numTurns: [1, maxTurns],
      teamReward: null,
      mainReward: null,
      numInvocations: [-1, maxTurns],
    }),
    invocations: readTable(`${place}.invocations`, invocationColumns, packed.invocations, {
      agent: [0, agents.length - 1],
      invocation: [0, maxTurns - 1],
      reward: null,
    }),
    turns: readTable(`${place}.turns`, turnColumns, packed.turns, turnRanges(plan)),
    tokens: readParts(`${place}.tokens`, tokens.length, (from, to) => tokens.slice(from, to)),
    logprobs: readParts(`${place}.logprobs`, logprobs.length, (from, to) =>
      logprobs.slice(from, to),
    ),
  };
}

/** The next whole numbers, all of them from `least` to below `end`. */
function nextInts(
  { tokens, place }: Reading,
  length: number,
  least: number,
  end: number,
): Int32Array {
  const values = tokens.next(length);
  const wrong = values.find((value) => value < least || value >= end);
  requireFit(
    wrong === undefined,
    `${place}.tokens`,
    `${wrong} came, expected ${least} to ${end - 1}`,
  );
  return values;
}

/** What of a turn depends on the settings of the run is there exactly when it has to be. */
function requireParts({ plan, place }: Reading, of: (column: TurnColumn) => number): void {
  const { sampling } = plan.training.groups;
  const fits =
    of('stateLength') >= 0 === readsState(plan) &&
    (of('hasBranchReward') === 1) === (sampling !== 'parallel') &&
    of('siblings') >= 0 === (sampling === 'expand') &&
    of('penalty') >= 0;
  requireFit(fits, `${place}.turns`, 'a turn has other parts than turns of this run have');
}

function nullable(count: number): number | null {
  return count < 0 ? null : count;
}

function nextTurn(reading: Reading): Turn {
  const { maxTurns, vocabulary } = reading.plan.workflow.spec;
  const of = reading.turns.next();
  requireParts(reading, of);
  const [promptLength, stateLength] = [of('promptLength'), nullable(of('stateLength'))];
  const nextTokens = (length: number): Int32Array =>
    nextInts(reading, length, 0, vocabulary.length);
  return {
    agent: of('agent'),
    turnIndex: of('turnIndex'),
    promptTokens: nextTokens(promptLength),
    origins: nextInts(reading, promptLength, -1, maxTurns),
    actionTokens: nextTokens(of('actionLength')),
    stateTokens: stateLength === null ? null : nextTokens(stateLength),
    rolloutLogprobs: reading.logprobs.next(of('actionLength')),
    isValid: of('isValid') === 1,
    penalty: of('penalty'),
    judgement: { tag: turnTags[of('tag')]!, localReward: of('localReward') },
    branchReward: of('hasBranchReward') === 1 ? of('branchReward') : null,
    siblings: nullable(of('siblings')),
    anchor: of('anchor'),
    invocation: nullable(of('invocation')),
  };
}

function nextRewards(
  { invocations }: Reading,
  of: (column: TrajectoryColumn) => number,
): TrajectoryRewards | null {
  const length = nullable(of('numInvocations'));
  if (length === null) return null;
  return {
    main: of('mainReward'),
    invocations: Array.from({ length }, () => {
      const own = invocations.next();
      return {
        agent: own('agent'),
        invocation: own('invocation'),
        reward: own('reward'),
      };
    }),
  };
}

/**
 * The rollouts of `plan` in the order in which they were packed. Throws a CheckpointMisfit where they cannot be of it.
 * @param place of the rollouts in the checkpoint, for messages
 */
export function unpackTrajectories(
  plan: ReplicaPlan,
  packed: SavedRollouts,
  place: string,
): Trajectory[] {
  const reading = open(plan, packed, place);
  const all: Trajectory[] = [];
  while (!reading.trajectories.isDone()) {
    const of = reading.trajectories.next();
    all.push({
      replica: plan.index,
      batch: of('batch'),
      task: of('task'),
      turns: Array.from({ length: of('numTurns') }, () => nextTurn(reading)),
      teamReward: of('teamReward'),
      rewards: nextRewards(reading, of),
    });
  }
  const { turns, invocations, tokens, logprobs } = reading;
  const areDone = [turns, invocations, tokens, logprobs].every((part) => part.isDone());
  requireFit(areDone, place, 'there is more than the table of trajectories speaks of');
  return all;
}
