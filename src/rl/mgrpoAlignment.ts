import { uniformInt, type Key } from './rng';

/*
 * M-GRPO compares the invocations of a sub-agent over the rollouts of a task, d_k of them in rollout k, after making every rollout
 * count d times: Hong et al. 2025 (arXiv 2511.13288) §4, where d is the 99th percentile of d_k. Here an alignment says how often
 * each invocation counts; `StepScores.weights` carries that into the statistics, so no sample is copied. Padding with a mask leaves
 * each to count once. The paper leaves d_k = 0 undefined: such a rollout has no sub-sample and the group is the smaller for it.
 */

/**
 * How often each invocation of one rollout counts when random ones are duplicated (d_k < d) or dropped (d_k > d) to reach d.
 * Hong et al. 2025 (arXiv 2511.13288) §4. Duplicates are drawn with replacement, what stays is a uniform subset: every invocation is
 * expected d/d_k times.
 * @param numInvocations d_k ≥ 0
 * @param alignTo d ≥ 1
 * @param key of the rollout and agent; the same key, the same choice
 * @returns [d_k] whole numbers that sum to d; nothing for d_k = 0
 * Throws a RangeError on counts that are not whole numbers in these ranges.
 */
export function duplicateOrDrop(numInvocations: number, alignTo: number, key: Key): Float64Array {
  assertCounts(numInvocations, alignTo);
  const isDuplicating = numInvocations <= alignTo;
  const weights = new Float64Array(numInvocations).fill(isDuplicating ? 1 : 0);
  if (isDuplicating) {
    const numCopies = numInvocations === 0 ? 0 : alignTo - numInvocations;
    for (let copy = 0; copy < numCopies; copy++) weights[uniformInt(key, copy, numInvocations)]!++;
    return weights;
  }
  // Fisher–Yates, as far as needed: every subset of d is equally likely.
  const order = Int32Array.from(weights.keys());
  for (let place = 0; place < alignTo; place++) {
    const other = place + uniformInt(key, place, numInvocations - place);
    const kept = order[other]!;
    order[other] = order[place]!;
    weights[kept] = 1;
  }
  return weights;
}

/**
 * How often each invocation of one rollout counts on average over the choices of `duplicateOrDrop`: d/d_k. An estimator of the same
 * mean without copies and without chance; its own reading of Hong et al. 2025 (arXiv 2511.13288) §4.
 * @param numInvocations d_k ≥ 0
 * @param alignTo d ≥ 1
 * @returns [d_k] that sum to d; nothing for d_k = 0
 * Throws a RangeError on counts that are not whole numbers in these ranges.
 */
export function alignmentWeights(numInvocations: number, alignTo: number): Float64Array {
  assertCounts(numInvocations, alignTo);
  return new Float64Array(numInvocations).fill(alignTo / numInvocations);
}

function assertCounts(numInvocations: number, alignTo: number): void {
  if (!Number.isInteger(numInvocations) || numInvocations < 0)
    throw new RangeError(
      `numInvocations is ${numInvocations}: give the rollout's number of invocations, 0 if there are none.`,
    );
  if (!Number.isInteger(alignTo) || alignTo < 1)
    throw new RangeError(`alignTo is ${alignTo}: expected a whole number ≥ 1, such as 8.`);
}
