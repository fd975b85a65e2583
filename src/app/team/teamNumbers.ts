import type { GroupsSpec } from '../../config/experimentSpec';
import type { MetricKey } from '../../metrics/catalog';
import { median } from '../../metrics/median';
import { points, type RunSeries, type SeriesPoints } from '../../metrics/runSeries';
import { spikePositions } from '../../metrics/spikes';
import type { TeamEdge } from './teamModel';

/** What a run has logged of a team, as the numbers in its graph. Null where nothing was logged or nothing follows from what was. */

export interface AgentNumbers {
  /** In the arm's last iteration, median over the seeds where it is finite; NaN where it is in none. Null where the agent did not learn in it. */
  readonly gradNorm: number | null;
  /** Up to now, all seeds together; null where no norm was logged. */
  readonly numSpikes: number | null;
  /** In the arm's last iteration, median over seeds. */
  readonly turnsPerEpisode: number | null;
}

export interface NumbersScope {
  readonly arm: string;
  readonly seeds: readonly number[];
  readonly agents: readonly string[];
  /** Of the arm: says how many episodes an iteration has. */
  readonly groups: GroupsSpec;
}

export type TeamNumbers = ReadonlyMap<string, AgentNumbers>;

export function teamNumbers(series: RunSeries, scope: NumbersScope): TeamNumbers {
  return new Map(scope.agents.map((agent) => [agent, agentNumbers(series, scope, agent)]));
}

function agentNumbers(series: RunSeries, scope: NumbersScope, agent: string): AgentNumbers {
  const linesOf = (metric: MetricKey): readonly SeriesPoints[] =>
    scope.seeds
      .map((seed) => points(series, { arm: scope.arm, seed, agent, metric }))
      .filter(({ iterations }) => iterations.length > 0);
  // Every iteration has a count of turns, also one in which the agent took none and has no norm.
  const turns = linesOf('numTurns');
  const last = Math.max(...turns.map(({ iterations }) => iterations.at(-1)!));
  const norms = linesOf('gradNorm');
  const lastNorms = valuesAt(norms, last);
  const lastTurns = valuesAt(turns, last);
  const episodes = episodesPerIteration(scope.groups);
  return {
    gradNorm: lastNorms.length > 0 ? median(lastNorms.filter(Number.isFinite)) : null,
    numSpikes:
      norms.length > 0
        ? norms.reduce((count, { values }) => count + spikePositions(values).length, 0)
        : null,
    turnsPerEpisode:
      lastTurns.length > 0 && episodes !== null ? median(lastTurns) / episodes : null,
  };
}

/** Of the lines that end in `iteration`; seeds train side by side, so that these are all but for a moment. */
function valuesAt(lines: readonly SeriesPoints[], iteration: number): readonly number[] {
  return lines.flatMap(({ iterations, values }) =>
    iterations.at(-1) === iteration ? values.at(-1)! : [],
  );
}

/** Null for trees: their branches share turns, and how many there are is not logged. */
function episodesPerIteration(groups: GroupsSpec): number | null {
  return groups.sampling === 'parallel' ? groups.tasksPerIteration * groups.groupSize : null;
}

/** How often in an episode the edge was used; null where the turns do not tell. */
export function messagesPerEpisode({ count }: TeamEdge, numbers: TeamNumbers): number | null {
  const turns = count && numbers.get(count.turnsOf)?.turnsPerEpisode;
  if (count === null || turns === null || turns === undefined) return null;
  return count.minusFirst ? turns - 1 : turns;
}
