/** What an update learned from, in columns. Axis S: one entry per agent step. */
export interface WeightedAdvantages {
  /** [S] finite. */
  readonly advantages: Float64Array;
  /** [S] ≥ 0, how often the step counts; null = all once. */
  readonly weights: Float64Array | null;
  /** [S] */
  readonly agentIds: ArrayLike<number>;
  /** [S] 1 = the update learned from the step. */
  readonly isLearned: Uint8Array;
}

/** One part of an agent's steps, and how much of the whole it is. */
export interface SquareShare {
  readonly id: number;
  readonly numSteps: number;
  /** Σ w·A² of the part. Unit: that of the advantages, squared. */
  readonly squares: number;
  /** 0..1 of the agent's Σ w·A²; 0 where that is 0. */
  readonly share: number;
  /** Largest |A| of the part. */
  readonly largest: number;
}

/**
 * Splits one agent's Σ w·A², over the steps that the update learned from, by `ids` [S]: largest part first, equal ones by id.
 * A proxy for the parts of its gradient. With the score z = ∇log π of a step the gradient is Σ w·A·z; if the z of different steps had
 * one length and were uncorrelated, its expected square would be E|z|²·Σ w·A² (w = 1; Dr. MAS, arXiv 2602.08847, Lemma 4.2, without Δ).
 * Lengths and directions of z, clipping, and the averaging over tokens are left out: a part with a large share need not have made the norm.
 * Throws a RangeError on arrays of unequal length.
 */
export function squareShares(
  steps: WeightedAdvantages,
  ids: ArrayLike<number>,
  agent: number,
): SquareShare[] {
  const { advantages, weights, agentIds, isLearned } = steps;
  if (ids.length !== advantages.length)
    throw new RangeError(
      `ids has ${ids.length} entries, advantages ${advantages.length}: give one per step.`,
    );
  const parts = new Map<number, { numSteps: number; squares: number; largest: number }>();
  let total = 0;
  for (const [step, advantage] of advantages.entries()) {
    if (agentIds[step] !== agent || isLearned[step] !== 1) continue;
    const id = ids[step]!;
    const square = (weights?.[step] ?? 1) * advantage * advantage;
    const part = parts.get(id) ?? { numSteps: 0, squares: 0, largest: 0 };
    part.numSteps += 1;
    part.squares += square;
    part.largest = Math.max(part.largest, Math.abs(advantage));
    parts.set(id, part);
    total += square;
  }
  return [...parts]
    .map(([id, { numSteps, squares, largest }]) => ({
      id,
      numSteps,
      squares,
      share: total > 0 ? squares / total : 0,
      largest,
    }))
    .toSorted((a, b) => b.squares - a.squares || a.id - b.id);
}
