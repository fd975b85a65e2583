import { columnBytes } from '../../metrics/columnBytes';
import { keepRecords, maxKeptBytes } from '../../notebook/keptRecords';
import type { GroupRecord } from '../../protocol/trainerApi';

/** The kept records after an iteration has sent `fresh`; oldest first. An iteration that sends none changes nothing. */
export function keepGroups(
  kept: readonly GroupRecord[],
  fresh: readonly GroupRecord[],
  maxBytes: number = maxKeptBytes,
): readonly GroupRecord[] {
  return keepRecords(kept, fresh, { bytesOf: columnBytes, maxBytes });
}

/** The record of one replica's iteration; undefined where it is not kept. */
export function recordAt(
  groups: readonly GroupRecord[],
  at: Pick<GroupRecord, 'arm' | 'seed' | 'iteration'>,
): GroupRecord | undefined {
  return groups.find(
    ({ arm, seed, iteration }) => arm === at.arm && seed === at.seed && iteration === at.iteration,
  );
}

/** Iterations of one replica that are kept, increasing. */
export function keptIterations(
  groups: readonly GroupRecord[],
  of: Pick<GroupRecord, 'arm' | 'seed'>,
): number[] {
  return groups
    .filter(({ arm, seed }) => arm === of.arm && seed === of.seed)
    .map(({ iteration }) => iteration);
}

/** The one of `iterations` that lies nearest, the earlier of two; null without any. `iterations`: increasing. */
export function nearestIteration(iterations: readonly number[], to: number): number | null {
  return iterations.reduce<number | null>(
    (nearest, iteration) =>
      nearest === null || Math.abs(iteration - to) < Math.abs(nearest - to) ? iteration : nearest,
    null,
  );
}
