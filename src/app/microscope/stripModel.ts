import type { AdvantageColumn, GroupView } from './groupView';

/** Where the advantages of a group lie, normalizer by normalizer, on one common axis. */

/** Steps of one agent with one advantage. */
export interface StripDot {
  /** 0..1 along the axis. */
  readonly share: number;
  readonly advantage: number;
  readonly count: number;
}

/** One agent in the row of one normalizer. */
interface StripLane {
  readonly agent: string;
  /** Increasing. */
  readonly dots: readonly StripDot[];
  /** √E[A²] to both sides of 0, in shares of the axis; null where the agent did not act. */
  readonly spread: { readonly from: number; readonly to: number } | null;
}

export interface StripRow {
  readonly column: AdvantageColumn;
  /** Of the agents that acted, in their order. */
  readonly lanes: readonly StripLane[];
}

export interface Strip {
  /** The axis goes from −limit to limit; > 0. */
  readonly limit: number;
  readonly rows: readonly StripRow[];
}

function laneOf(view: GroupView, column: number, agent: number, limit: number): StripLane {
  const { agent: id, secondMoments } = view.agents[agent]!;
  const counts = new Map<number, number>();
  for (const [step, advantage] of view.columns[column]!.advantages.entries())
    if (view.steps[step]!.agent === id) counts.set(advantage, (counts.get(advantage) ?? 0) + 1);
  const shareOf = (advantage: number): number => (advantage / limit + 1) / 2;
  const size = Math.sqrt(secondMoments[column]!);
  return {
    agent: id,
    dots: [...counts]
      .toSorted(([a], [b]) => a - b)
      .map(([advantage, count]) => ({ advantage, count, share: shareOf(advantage) })),
    spread: Number.isNaN(size) ? null : { from: shareOf(-size), to: shareOf(size) },
  };
}

/** Advantages that are all 0 get an axis from −1 to 1. */
export function stripOf(view: GroupView): Strip {
  const largest = view.columns.reduce(
    (most, { advantages }) =>
      advantages.reduce((max, advantage) => Math.max(max, Math.abs(advantage)), most),
    0,
  );
  const limit = largest > 0 ? largest : 1;
  const acting = [...view.agents.keys()].filter((agent) => view.agents[agent]!.numSamples > 0);
  return {
    limit,
    rows: view.columns.map((column, index) => ({
      column,
      lanes: acting.map((agent) => laneOf(view, index, agent, limit)),
    })),
  };
}
