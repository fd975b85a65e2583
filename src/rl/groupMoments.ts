import type { GroupIndices } from './groupIndices';

/** Mean, spread and size of every group. Axis: numGroups. */
export interface GroupMoments {
  /** NaN for a group without a finite value. */
  readonly means: Float64Array;
  /** 0 for a group of one; NaN for a group without a finite value. */
  readonly stds: Float64Array;
  /** How many finite values of positive weight the group has. */
  readonly numSamples: Int32Array;
  /** Σw of those values; without weights the same number. */
  readonly totalWeights: Float64Array;
}

/**
 * Mean and standard deviation per group in two passes: mean = Σx/n, std = √(Σ(x − mean)²/(n − ddof)).
 * ddof 0: population, as Dr. MAS prints it (arXiv 2602.08847 §4.2); ddof 1: `torch.std`, as its code does it.
 * With `weights` (frequency weights: 2 counts as two equal values) n = Σw, and each sum is Σw·…; `numSamples` still counts values.
 * Values that are not finite, or of weight 0, are left out. Sums run over x − (the group's first value): equal values have a std of exactly 0.
 * `values` [S] and the moments share one unit.
 */
export function groupMoments(
  values: Float64Array,
  groups: GroupIndices,
  ddof: 0 | 1,
  weights: Float64Array | null = null,
): GroupMoments {
  if (values.length !== groups.indices.length)
    throw new RangeError(
      `values has ${values.length} entries, the groups ${groups.indices.length}: give every value one group.`,
    );
  const { means, numSamples, totalWeights } = groupMeans(values, groups, weights);
  const stds = new Float64Array(groups.numGroups);
  for (let i = 0; i < values.length; i++) {
    const group = groups.indices[i]!;
    const deviation = values[i]! - means[group]!;
    const weight = weights === null ? 1 : weights[i]!;
    if (Number.isFinite(values[i]!) && weight > 0) stds[group]! += weight * deviation * deviation;
  }
  for (let group = 0; group < groups.numGroups; group++) {
    const count = numSamples[group]!;
    if (count === 0) stds[group] = NaN;
    else stds[group] = stdOf(stds[group]!, totalWeights[group]!, ddof);
  }
  return { means, stds, numSamples, totalWeights };
}

/** Weights that add up to no more than ddof are too few samples to spread: 0, as for a group of one. */
function stdOf(sumOfSquares: number, totalWeight: number, ddof: 0 | 1): number {
  return totalWeight > ddof ? Math.sqrt(sumOfSquares / (totalWeight - ddof)) : 0;
}

/** Weighted mean of the finite values of every group, and how many there are. NaN for a group without one. */
export function groupMeans(
  values: Float64Array,
  groups: GroupIndices,
  weights: Float64Array | null = null,
): Omit<GroupMoments, 'stds'> {
  const firsts = new Float64Array(groups.numGroups);
  const means = new Float64Array(groups.numGroups);
  const numSamples = new Int32Array(groups.numGroups);
  const totalWeights = new Float64Array(groups.numGroups);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const weight = weights === null ? 1 : weights[i]!;
    if (!Number.isFinite(value) || weight === 0) continue;
    const group = groups.indices[i]!;
    if (numSamples[group] === 0) firsts[group] = value;
    means[group]! += weight * (value - firsts[group]!);
    totalWeights[group]! += weight;
    numSamples[group]!++;
  }
  for (let group = 0; group < groups.numGroups; group++) {
    const count = numSamples[group]!;
    means[group] = count === 0 ? NaN : firsts[group]! + means[group]! / totalWeights[group]!;
  }
  return { means, numSamples, totalWeights };
}
