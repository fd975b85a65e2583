/**
 * Rollouts of a team that acts in sequence, each role sampled several times on what the one before it wrote. Axis N: one node per
 * sampled turn, parents before their children; one array may hold the trees of many tasks.
 */
export interface RolloutTree {
  /** [N] node whose output this one continues, below its own number; −1 = first role. */
  readonly parents: Int32Array;
  /** [N] outcome of the trajectory that ends in the node; read at leaves only, entries elsewhere may hold anything. Unit: reward. */
  readonly leafRewards: Float64Array;
}

/**
 * Value of every node of a rollout tree: the reward at a leaf, above it the mean of the children's values. A node with many
 * continuations counts as much as its sibling with one.
 * MALT: as described in Motwani et al. 2024 (arXiv 2412.01928), formula not verified against the primary text.
 * [N] in, [N] out, O(N). A leaf whose reward is not finite is left out of its parent's mean; a node without a finite leaf below it
 * has NaN. Throws a RangeError on unequal lengths or a parent that does not come before its child.
 */
export function treeValues({ parents, leafRewards }: RolloutTree): Float64Array {
  if (leafRewards.length !== parents.length)
    throw new RangeError(
      `leafRewards has ${leafRewards.length} entries, parents ${parents.length}: give one of each per node.`,
    );
  const values = new Float64Array(parents.length);
  const sums = new Float64Array(parents.length);
  const numChildren = new Int32Array(parents.length);
  const numFinite = new Int32Array(parents.length);
  // Backwards, a node comes after all of its children.
  for (let node = parents.length - 1; node >= 0; node--) {
    const parent = parents[node]!;
    if (parent < -1 || parent >= node)
      throw new RangeError(
        `parents[${node}] is ${parent}: expected an earlier node, or −1 for a turn of the first role.`,
      );
    const value = numChildren[node] === 0 ? leafRewards[node]! : sums[node]! / numFinite[node]!;
    values[node] = Number.isFinite(value) ? value : NaN;
    if (parent === -1) continue;
    numChildren[parent]!++;
    if (!Number.isFinite(value)) continue;
    sums[parent]! += value;
    numFinite[parent]!++;
  }
  return values;
}

/**
 * What each node teaches its role: 1 = positive sample (value > threshold), −1 = negative sample, 0 = none (value NaN).
 * MALT: as described in Motwani et al. 2024 (arXiv 2412.01928), formula not verified against the primary text; threshold ½ for
 * rewards of 0 and 1. `values` [N] in the unit of `threshold`, labels [N].
 */
export function valueLabels(values: Float64Array, threshold: number): Int8Array {
  return Int8Array.from(values, (value) => {
    if (Number.isNaN(value)) return 0;
    return value > threshold ? 1 : -1;
  });
}
