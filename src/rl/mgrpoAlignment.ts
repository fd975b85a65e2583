import { foldIn, uniformInt, type Key } from './rng';

/** How a group's unequal numbers of sub-trajectories become samples; d_k is the number in rollout k, d the target. */
export type Alignment =
  /** Random ones duplicated where d_k < d, random ones dropped where d_k > d. The paper. */
  | { readonly kind: 'duplicateDrop'; readonly target: number; readonly key: Key }
  /** All as they are, padded to the widest rollout: the samples of agent-wise groups (Dr. MAS) in a rectangle. */
  | { readonly kind: 'padMask' }
  /** All once, with weight d/d_k: the same on average as `duplicateDrop`, without copies and without chance. */
  | { readonly kind: 'weighted'; readonly target: number }
  /** Groups of `groupSize` in the order of the queue, whatever task or rollout they come from. The public code. */
  | { readonly kind: 'fifo'; readonly groupSize: number };

/**
 * Which sub-trajectories to learn from, and with whom each is compared. Axis M: samples, rollout by rollout. The sub-agent's
 * advantages are those of `groupAdvantages` with `groupIds` as tasks and these `weights`; M-GRPO prints ddof 0 and no ε.
 */
export interface AlignedInvocations {
  /** [M] rollout of the sample, 0 … G − 1. */
  readonly rollouts: Int32Array;
  /** [M] the invocation within its rollout, 0 … d_k − 1; −1 = padding. */
  readonly invocations: Int32Array;
  /** [M] 0 … numGroups − 1; −1 = in no group: padding, or the rest of a queue that waits for more. */
  readonly groupIds: Int32Array;
  readonly numGroups: number;
  /** [M] how often the sample counts, in the statistics and in the loss; 0 exactly where it is in no group. */
  readonly weights: Float64Array;
}

/**
 * Makes the invocations of one sub-agent comparable. M-GRPO: Hong et al. 2025 (arXiv 2511.13288) §4 gives `duplicateDrop`, with d
 * the 99th percentile of d_k; `fifo` is what the public code does (AQ-MedAI/MrlX, `agent_co_train`: a queue, every 8 consecutive
 * samples a group). `duplicateDrop` draws duplicates with replacement and what it keeps as a uniform subset, so that every
 * invocation of rollout k is expected d/d_k times; it gives exactly G·d samples. The paper leaves d_k = 0 undefined: such a rollout
 * has no sub-sample, only padding. `weighted` and `fifo` give Σ d_k samples; what a queue holds beyond its last full group waits.
 * @param numInvocations [G] d_k; for `fifo` the rollouts of all tasks, in the order of the queue
 * Throws a RangeError on a negative count, or a target or group size that is not a whole number ≥ 1.
 */
export function alignInvocations(
  numInvocations: Int32Array,
  alignment: Alignment,
): AlignedInvocations {
  for (const [rollout, count] of numInvocations.entries())
    if (count < 0)
      throw new RangeError(
        `numInvocations[${rollout}] is ${count}: give the rollout's number of invocations, 0 if there are none.`,
      );
  switch (alignment.kind) {
    case 'duplicateDrop': {
      const { target, key } = alignment;
      assertPositive('target', target);
      return rectangle(numInvocations, target, (count, rollout) =>
        chosenInvocations(count, target, foldIn(key, rollout)),
      );
    }
    case 'padMask':
      return rectangle(numInvocations, Math.max(0, ...numInvocations), range);
    case 'weighted': {
      const { target } = alignment;
      assertPositive('target', target);
      const samples = everyInvocation(numInvocations, {
        groupOf: () => 0,
        weightOf: (count) => target / count,
      });
      return { ...samples, numGroups: 1 };
    }
    case 'fifo': {
      const { groupSize } = alignment;
      assertPositive('groupSize', groupSize);
      const numSamples = numInvocations.reduce((sum, count) => sum + count, 0);
      const numGroups = Math.floor(numSamples / groupSize);
      const samples = everyInvocation(numInvocations, {
        groupOf: (sample) => (sample < numGroups * groupSize ? Math.floor(sample / groupSize) : -1),
        weightOf: () => 1,
      });
      return { ...samples, numGroups };
    }
  }
}

/** [G, width] samples of one group; −1 pads a rollout that has fewer. */
function rectangle(
  numInvocations: Int32Array,
  width: number,
  invocationsOf: (count: number, rollout: number) => readonly number[],
): AlignedInvocations {
  const rollouts = new Int32Array(numInvocations.length * width);
  const invocations = new Int32Array(rollouts.length).fill(-1);
  for (const [rollout, count] of numInvocations.entries()) {
    rollouts.fill(rollout, rollout * width, (rollout + 1) * width);
    invocations.set(invocationsOf(count, rollout), rollout * width);
  }
  return {
    rollouts,
    invocations,
    groupIds: invocations.map((invocation) => (invocation === -1 ? -1 : 0)),
    numGroups: 1,
    weights: Float64Array.from(invocations, (invocation) => (invocation === -1 ? 0 : 1)),
  };
}

/** `target` of `count` invocations: all in order and then copies, or some in order; none of none. */
function chosenInvocations(count: number, target: number, key: Key): number[] {
  const chosen = range(count);
  if (count === 0) return chosen;
  if (count < target) {
    for (let draw = 0; draw < target - count; draw++) chosen.push(uniformInt(key, draw, count));
    return chosen;
  }
  // Fisher–Yates, as far as needed: every subset of `target` is equally likely.
  for (let place = 0; place < target; place++) {
    const other = place + uniformInt(key, place, count - place);
    [chosen[place], chosen[other]] = [chosen[other]!, chosen[place]!];
  }
  return chosen.slice(0, target).toSorted((first, second) => first - second);
}

interface Placement {
  /** Group of the n-th invocation of all; −1 = none. */
  readonly groupOf: (sample: number) => number;
  /** Weight of an invocation of a rollout with `count`, if it is in a group. */
  readonly weightOf: (count: number) => number;
}

/** Every invocation once, in order. */
function everyInvocation(
  numInvocations: Int32Array,
  { groupOf, weightOf }: Placement,
): Omit<AlignedInvocations, 'numGroups'> {
  const samples = [...numInvocations].flatMap((count, rollout) =>
    range(count).map((invocation) => ({ rollout, invocation, count })),
  );
  const groupIds = Int32Array.from(samples, (_, sample) => groupOf(sample));
  return {
    rollouts: Int32Array.from(samples, ({ rollout }) => rollout),
    invocations: Int32Array.from(samples, ({ invocation }) => invocation),
    groupIds,
    weights: Float64Array.from(samples, ({ count }, sample) =>
      groupIds[sample] === -1 ? 0 : weightOf(count),
    ),
  };
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function assertPositive(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 1)
    throw new RangeError(`${name} is ${value}: expected a whole number ≥ 1, such as 8.`);
}
