/** Merging of policies that were trained from one start, as task vectors τ = trained − base. Axis P: parameters. */

/** What RAM+ does to the entries that one agent alone has changed. */
export interface RamOptions {
  /** An entry counts as changed if |τ| exceeds it. 1e-5 in the paper's code, which suits bf16; with Adam in float32 nearly every entry moves. */
  readonly threshold: number;
  /** r ≥ 1 of RAM+; 1 is plain RAM. 1.2 there. */
  readonly rescale: number;
}

export interface RamMerge {
  /** [P] */
  readonly merged: Float64Array;
  /** [agents] factor of each agent's unique entries: 1 + (r − 1)·min(1, shared/unique). */
  readonly factors: Float64Array;
}

/**
 * RAM: an entry that two or more agents have changed becomes base + the mean of their τ, one that a single agent has changed keeps its
 * whole τ. RAM+ multiplies the latter by 1 + (r − 1)·min(1, shared/unique), with the agent's numbers of shared and unique entries.
 * arXiv 2601.13572, formula as in xiangchi-yuan/mrl `ram-main.py`, not verified against the primary text. That script divides by zero
 * for an agent without a unique entry; here the share counts as 1.
 * Throws a RangeError on unequal lengths, or a negative threshold, or r below 1.
 */
export function ramMerge(
  base: Float64Array,
  taskVectors: readonly Float64Array[],
  { threshold, rescale }: RamOptions,
): RamMerge {
  for (const [agent, { length }] of taskVectors.entries())
    if (length !== base.length)
      throw new RangeError(
        `taskVectors[${agent}] has ${length} entries, base ${base.length}: give one of each per parameter.`,
      );
  if (!(threshold >= 0) || !(rescale >= 1))
    throw new RangeError(
      `threshold is ${threshold} and rescale ${rescale}: give a threshold from 0 and a rescale from 1.`,
    );
  const isChanged = (vector: Float64Array, entry: number): boolean =>
    Math.abs(vector[entry]!) > threshold;
  const numChanging = base.map(
    (_, entry) => taskVectors.filter((vector) => isChanged(vector, entry)).length,
  );
  const factors = Float64Array.from(taskVectors, (vector) => {
    const changed = [...vector.keys()].filter((entry) => isChanged(vector, entry));
    const unique = changed.filter((entry) => numChanging[entry] === 1).length;
    const shared = changed.length - unique;
    return 1 + (rescale - 1) * (unique === 0 ? 1 : Math.min(1, shared / unique));
  });
  const merged = base.map((weight, entry) => {
    const sum = taskVectors.reduce((total, vector, agent) => {
      if (!isChanged(vector, entry)) return total;
      return total + vector[entry]! * (numChanging[entry]! > 1 ? 1 : factors[agent]!);
    }, 0);
    return weight + sum / Math.max(1, numChanging[entry]!);
  });
  return { merged, factors };
}
