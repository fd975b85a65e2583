import type { LossSpec } from '../config/experimentSpec';
import { groupIndices } from '../rl/groupIndices';
import { klRewardPenalties } from '../rl/klPenalty';
import { maxLogRatio } from '../rl/logRatios';
import { lossBalanceWeights } from '../rl/lossBalance';
import { rolloutMeanWeights } from '../rl/rolloutStatistics';
import { samplerWeights, type SamplerCorrection } from '../rl/samplerWeights';
import type { ReplicaBatch } from './learning';

/** Constants that multiply token losses, and what a KL penalty in the reward costs each step. */

function correctionOf(loss: LossSpec): SamplerCorrection | null {
  const { samplerCorrection, samplerWeightLow: low, samplerWeightHigh: high } = loss;
  switch (samplerCorrection) {
    case 'none':
      return null;
    case 'tokenTruncate':
      return { level: 'token', limit: { kind: 'truncate', high } };
    case 'tokenMask':
      return { level: 'token', limit: { kind: 'mask', low, high } };
    case 'sequenceTruncate':
      return { level: 'sequence', limit: { kind: 'truncate', high } };
    case 'sequenceMask':
      return { level: 'sequence', limit: { kind: 'mask', low, high } };
  }
}

/** [action length] importance weights of one turn, π_old/π_sampler, truncated or masked. */
function turnWeights(
  oldLogprobs: Float32Array,
  rolloutLogprobs: Float32Array,
  correction: SamplerCorrection,
): Float64Array {
  return samplerWeights(
    {
      oldLogprobs: Float64Array.from(oldLogprobs),
      rolloutLogprobs: Float64Array.from(rolloutLogprobs),
      mask: new Uint8Array(oldLogprobs.length).fill(1),
      numSequences: 1,
    },
    correction,
  );
}

/**
 * [steps] factors under which the token mean of one optimizer step is the mean over its rollouts of their own token means. So they
 * are worked out per policy and minibatch: what shares a divisor. Agent Lightning has one policy.
 */
function rolloutBalance(
  { replica, scored }: ReplicaBatch,
  steps: readonly number[],
  minibatches: Int32Array,
): Float64Array {
  const factors = new Float64Array(steps.length);
  const optimizerSteps = new Map<string, number[]>();
  for (const [place, step] of steps.entries()) {
    const { cohort, slot } = replica.seats[scored.turns[step]!.agent]!;
    const key = `${cohort} ${slot} ${minibatches[scored.trajectoryOf[step]!]}`;
    const places = optimizerSteps.get(key) ?? [];
    optimizerSteps.set(key, places);
    places.push(place);
  }
  for (const places of optimizerSteps.values()) {
    const own = places.map((place) => steps[place]!);
    const { indices, numGroups } = groupIndices(
      Int32Array.from(own, (step) => scored.trajectoryOf[step]!),
    );
    const tokens = Float64Array.from(
      own,
      (step) => scored.weights[step]! * scored.turns[step]!.actionTokens.length,
    );
    const weights = rolloutMeanWeights(indices, tokens, numGroups);
    for (const [index, place] of places.entries()) factors[place] = weights[index]!;
  }
  return factors;
}

/** [steps] factor of each turn's loss; null = 1. A turn of weight w is w turns here as in the loss. */
function balanceOf(
  batch: ReplicaBatch,
  steps: readonly number[],
  minibatches: Int32Array,
): Float64Array | null {
  const { scores, weights } = batch.scored;
  const pick = (from: Int32Array): Int32Array => Int32Array.from(steps, (step) => from[step]!);
  switch (batch.replica.training.loss.balance) {
    case 'none':
      return null;
    case 'agentFrequency': {
      // Over all policies and minibatches of the iteration, as in the repository: mean 1 over the whole.
      const counts = Float64Array.from(steps, (step) => weights[step]!);
      return lossBalanceWeights(pick(scores.taskIds), pick(scores.agentIds), counts);
    }
    case 'rollout':
      return rolloutBalance(batch, steps, minibatches);
  }
}

/**
 * [steps] × [action length] factors of the turns that are learned from; null where all are 1.
 * @param minibatches [trajectories]
 */
export function lossFactors(
  batch: ReplicaBatch,
  steps: readonly number[],
  minibatches: Int32Array,
): (Float64Array | null)[] {
  const balance = balanceOf(batch, steps, minibatches);
  const correction = correctionOf(batch.replica.training.loss);
  return steps.map((step, place) => {
    const { rolloutLogprobs } = batch.scored.turns[step]!;
    const weight = balance?.[place] ?? 1;
    if (correction === null)
      return balance === null ? null : new Float64Array(rolloutLogprobs.length).fill(weight);
    return turnWeights(batch.oldLogprobs[step]!, rolloutLogprobs, correction).map(
      (factor) => factor * weight,
    );
  });
}

/** [turns] −β·Σ over a turn's tokens of the estimate of KL(policy ‖ reference). Both [turns] × [action length], nats. Unit: reward. */
export function klRewards(
  loss: LossSpec,
  logprobs: readonly Float32Array[],
  refLogprobs: readonly Float32Array[],
): Float64Array {
  return Float64Array.from(logprobs, (own, turn) => {
    const batch = {
      logprobs: Float64Array.from(own),
      // Log-ratios bounded as in the loss: one token that the reference never takes must not cost e²⁰ and more.
      refLogprobs: Float64Array.from(refLogprobs[turn]!, (logprob, token) => {
        const ratio = Math.max(-maxLogRatio, Math.min(maxLogRatio, own[token]! - logprob));
        return own[token]! - ratio;
      }),
      mask: new Uint8Array(own.length).fill(1),
      numSequences: 1,
      rowWeights: null,
      totals: null,
    };
    const options = { estimator: loss.refKlEstimator, refKlCoef: loss.refKlCoef };
    return klRewardPenalties(batch, options).sequences[0]!;
  });
}
