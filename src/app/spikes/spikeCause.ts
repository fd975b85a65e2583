import type { ExperimentSpec } from '../../config/experimentSpec';
import type { RunSeries } from '../../metrics/runSeries';
import type { GroupRecord, Transcript } from '../../protocol/trainerApi';
import { squareShares, type SquareShare } from '../../rl/squareShares';
import { recordAt } from '../microscope/keptGroups';
import type { Spike } from './spikeList';

/** From a spike to its batch, its groups and their rollouts, as far as they are still kept. */

/** What the page holds of a run. */
export interface SpikeRun {
  /** Oldest first, both. */
  readonly groups: readonly GroupRecord[];
  readonly transcripts: readonly Transcript[];
  readonly series: RunSeries;
  /** What has run. */
  readonly spec: ExperimentSpec;
}

/** One group of the batch: `id` is the task. */
export interface GroupShare extends SquareShare {
  /** Its kept episodes, those with the largest part of the agent's Σ w·A² first. */
  readonly episodes: readonly Transcript[];
  readonly numRollouts: number;
}

export interface SpikeCause {
  /** Null where the iteration's steps are not kept. */
  readonly record: GroupRecord | null;
  /** Largest share first; empty without a record, and where the agent learned from no step. */
  readonly groups: readonly GroupShare[];
  /** Kept episodes of the iteration that cannot be placed for want of a record. */
  readonly episodes: readonly Transcript[];
}

/** Rollouts of one task by their part of the agent's Σ w·A², largest first. */
function rolloutShares(record: GroupRecord, task: number, agent: number): SquareShare[] {
  const isOfTask = record.isLearned.map((isLearned, step) =>
    record.tasks[step] === task ? isLearned : 0,
  );
  return squareShares({ ...record, isLearned: isOfTask }, record.rollouts, agent);
}

function episodesOf(
  record: GroupRecord,
  task: number,
  agent: number,
  episodes: readonly Transcript[],
): Transcript[] {
  const order = rolloutShares(record, task, agent).map(({ id }) => id);
  const rankOf = ({ rollout }: Transcript): number => {
    const rank = order.indexOf(rollout);
    return rank < 0 ? order.length : rank;
  };
  return episodes
    .filter((episode) => episode.task === task)
    .toSorted((a, b) => rankOf(a) - rankOf(b) || a.rollout - b.rollout);
}

function groupShare(
  record: GroupRecord,
  { id, numSteps, squares, share, largest }: SquareShare,
  of: { readonly agent: number; readonly episodes: readonly Transcript[] },
): GroupShare {
  const rollouts = record.rollouts.filter((_, step) => record.tasks[step] === id);
  return {
    id,
    numSteps,
    squares,
    share,
    largest,
    numRollouts: new Set(rollouts).size,
    episodes: episodesOf(record, id, of.agent, of.episodes),
  };
}

/** What is kept of the batch behind a spike. */
export function spikeCause(
  spike: Spike,
  { groups, transcripts }: Pick<SpikeRun, 'groups' | 'transcripts'>,
): SpikeCause {
  const { arm, seed, iteration } = spike;
  const episodes = transcripts.filter(
    (episode) => episode.arm === arm && episode.seed === seed && episode.iteration === iteration,
  );
  const record = recordAt(groups, spike) ?? null;
  if (record === null) return { record, groups: [], episodes };
  const agent = record.agents.indexOf(spike.agent);
  const shares = squareShares(record, record.tasks, agent);
  return {
    record,
    episodes: [],
    groups: shares.map((share) => groupShare(record, share, { agent, episodes })),
  };
}
