import type { LossSpec } from '../config/experimentSpec';
import { klRewardPenalties } from '../rl/klPenalty';
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

/** [steps] factor of each turn's loss, of mean 1 over the steps (over their tokens, for `rollout`); null = 1. */
function balanceOf(
  { replica, scored }: ReplicaBatch,
  steps: readonly number[],
): Float64Array | null {
  const pick = (from: Int32Array): Int32Array => Int32Array.from(steps, (step) => from[step]!);
  switch (replica.training.loss.balance) {
    case 'none':
      return null;
    case 'agentFrequency':
      return lossBalanceWeights(pick(scored.scores.taskIds), pick(scored.scores.agentIds));
    case 'rollout': {
      const tokens = Int32Array.from(steps, (step) => scored.turns[step]!.actionTokens.length);
      const places = new Map(
        [...new Set(pick(scored.trajectoryOf))].map((trajectory, index) => [trajectory, index]),
      );
      const rollouts = Int32Array.from(steps, (step) => places.get(scored.trajectoryOf[step]!)!);
      return rolloutMeanWeights(rollouts, tokens, places.size);
    }
  }
}

/** [steps] × [action length] factors of the turns that are learned from; null where all are 1. */
export function lossFactors(
  batch: ReplicaBatch,
  steps: readonly number[],
): (Float64Array | null)[] {
  const balance = balanceOf(batch, steps);
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
      refLogprobs: Float64Array.from(refLogprobs[turn]!),
      mask: new Uint8Array(own.length).fill(1),
      numSequences: 1,
      rowWeights: null,
      totals: null,
    };
    const options = { estimator: loss.refKlEstimator, refKlCoef: loss.refKlCoef };
    return klRewardPenalties(batch, options).sequences[0]!;
  });
}
