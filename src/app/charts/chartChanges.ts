import { rowOfIteration } from './lineRows';
import type { PlotLine } from './PlotLines';
import type { ChartX } from './xAxis';

/** Settings that changed while the run went on, as a chart tells of them. */
export interface ChartChange {
  /** Unique among the changes of a chart. */
  readonly id: string;
  /** Before whose rollouts it took effect. */
  readonly iteration: number;
  /** Null = all arms. */
  readonly arm: string | null;
  /** Beside its line. */
  readonly label: string;
  /** In full. */
  readonly text: string;
}

export interface PlacedChange {
  readonly id: string;
  readonly label: string;
  /** Place on the x axis. */
  readonly x: number;
}

export const noChanges: readonly ChartChange[] = [];

/** Those of arms that are shown; all arms share those that say so. */
export function changesOf(
  changes: readonly ChartChange[],
  lines: readonly PlotLine[],
): readonly ChartChange[] {
  return changes.filter(
    ({ arm }) => arm === null || lines.some(({ line, isFaded }) => line.arm === arm && !isFaded),
  );
}

/**
 * Where the changes stand. Over iterations each has its place at once; on the other axes it is where the first of its lines stood in that
 * iteration, and a change without one is not drawn. A metric goes back and forth and has no before and after: nothing is drawn over it.
 */
export function placedChanges(
  changes: readonly ChartChange[],
  lines: readonly PlotLine[],
  x: ChartX,
  [from, to]: readonly [number, number],
): readonly PlacedChange[] {
  if (x.kind === 'metric') return [];
  return changesOf(changes, lines).flatMap(({ id, label, iteration, arm }) => {
    const place = x.kind === 'iteration' ? iteration : placeOf(iteration, arm, lines);
    return place >= from && place <= to ? [{ id, label, x: place }] : [];
  });
}

/** NaN where no line has a point then. */
function placeOf(iteration: number, arm: string | null, lines: readonly PlotLine[]): number {
  for (const { line } of lines) {
    if (arm !== null && line.arm !== arm) continue;
    const place = line.x[rowOfIteration(line, iteration)];
    if (place !== undefined && !Number.isNaN(place)) return place;
  }
  return NaN;
}
