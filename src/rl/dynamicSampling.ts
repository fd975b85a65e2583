import { groupIndices } from './groupIndices';
import { groupMoments } from './groupMoments';

/** Which trajectories are worth an update. */
export interface DynamicSampling {
  /** [B] 1 = the trajectory's group has rewards that differ, 0 = drop it and draw another task. */
  readonly keep: Uint8Array;
  /** 0..1: groups with equal rewards; 0 without a group. */
  readonly zeroStdGroupFraction: number;
}

/**
 * Keeps the groups whose rewards are not all equal: population std > `minStd`. Equal rewards give advantages of 0.
 * Dynamic sampling as described in DAPO (arXiv 2503.14476), formula not verified against the primary text; verl `filter_groups`.
 * `rewards` and `groupIds` [B]; `minStd` ≥ 0 in units of reward, 1e-6 tells rounding from signal. A group of one is dropped,
 * and so is one without a finite reward; rewards that are not finite are left out. Throws a RangeError on unequal lengths.
 */
export function dynamicSampling(
  rewards: Float64Array,
  groupIds: Int32Array,
  minStd: number,
): DynamicSampling {
  const groups = groupIndices(groupIds);
  const { stds } = groupMoments(rewards, groups, 0);
  const isKept = stds.map((std) => (std > minStd ? 1 : 0));
  const numKept = isKept.reduce((sum, kept) => sum + kept, 0);
  return {
    keep: Uint8Array.from(groups.indices, (group) => isKept[group]!),
    zeroStdGroupFraction: groups.numGroups === 0 ? 0 : 1 - numKept / groups.numGroups,
  };
}
