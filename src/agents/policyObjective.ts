import * as tf from '@tensorflow/tfjs-core';
import type { LossSpec } from '../config/experimentSpec';
import type { PackedTurns } from './packTurns';
import { oneHotRows, type Sites } from './tfjsModel';

/** The objective of one agent's turns in tfjs ops; `rl/policyLoss` is the same formula on plain arrays and the test compares. */

/** Beyond this the ratio is clamped, as verl does: exp would overflow and 0 · ∞ give NaN. */
const maxLogRatio = 20;

/** A packed batch on the device. Dispose all of it when the update is done. */
export interface DeviceTurns {
  readonly tokens: tf.Tensor2D;
  readonly sites: Sites;
  /** [K] share of the agent's action tokens drawn at the site. */
  readonly siteShares: tf.Tensor1D;
  readonly recordSites: tf.Tensor1D;
  readonly recordTokens: tf.Tensor1D;
  /** [N] share of the agent's action tokens. */
  readonly recordShares: tf.Tensor1D;
  readonly recordWeights: tf.Tensor1D;
  readonly oldLogprobs: tf.Tensor1D;
  readonly advantages: tf.Tensor1D;
}

export function uploadTurns(packed: PackedTurns): DeviceTurns {
  const share = (counts: Float32Array): tf.Tensor1D =>
    tf.tensor1d(counts.map((count) => count / packed.numActionTokens));
  return {
    tokens: tf.tensor2d(packed.tokens, [packed.numSequences, packed.length], 'int32'),
    sites: {
      rows: tf.tensor1d(packed.siteRows, 'int32'),
      siteOfRow: tf.tensor1d(packed.siteOfRow, 'int32'),
    },
    siteShares: share(packed.siteCounts),
    recordSites: tf.tensor1d(packed.recordSites, 'int32'),
    recordTokens: tf.tensor1d(packed.recordTokens, 'int32'),
    recordShares: share(packed.recordCounts),
    recordWeights: tf.tensor1d(packed.recordWeights),
    oldLogprobs: tf.tensor1d(packed.oldLogprobs),
    advantages: tf.tensor1d(packed.advantages),
  };
}

/**
 * Log-probability of each record's token. [K, V] → [N].
 * Gathered forwards; backwards a one-hot product, because several records may share a site and a scatter-add of floats has no
 * fixed order on a GPU and no kernel on wasm.
 */
function recordLogprobs(logprobs: tf.Tensor2D, turns: DeviceTurns): tf.Tensor1D {
  const [numSites, vocabularySize] = logprobs.shape;
  const select = tf.customGrad<tf.Tensor1D>(() => {
    const cells = tf.add<tf.Tensor1D>(
      tf.mul(turns.recordSites, tf.scalar(vocabularySize, 'int32')),
      turns.recordTokens,
    );
    return {
      value: tf.gather(tf.reshape<tf.Rank.R1>(logprobs, [-1]), cells),
      gradFunc: (dy) => {
        const perToken = tf.mul(
          oneHotRows(turns.recordTokens, vocabularySize),
          tf.reshape(dy, [-1, 1]),
        );
        return tf.matMul(tf.transpose(oneHotRows(turns.recordSites, numSites)), perToken);
      },
    };
  });
  return select(logprobs);
}

/** [scalars] */
export function stackScalars(scalars: readonly tf.Tensor[]): tf.Tensor1D {
  return tf.reshape(tf.stack([...scalars]), [scalars.length]);
}

interface Objective {
  /** Minimised. */
  readonly loss: tf.Scalar;
  /** [4] agent-token means: policy loss, entropy (nats), clip fraction low, clip fraction high. */
  readonly stats: tf.Tensor1D;
}

/** −Σ p log p averaged over the action tokens' sites. Unit: nats per token. */
function meanEntropy(logprobs: tf.Tensor2D, shares: tf.Tensor1D): tf.Scalar {
  const entropies = tf.neg(tf.sum(tf.mul(tf.exp(logprobs), logprobs), -1));
  return tf.sum(tf.mul(entropies, shares));
}

/** Scores the turns; `weightShare` is this slice's share of the policy's tokens, so that slices add up. */
export function policyGradientObjective(
  logits: tf.Tensor2D,
  turns: DeviceTurns,
  spec: LossSpec,
  weightShare: number,
): Objective {
  const logprobs = tf.logSoftmax(logits);
  const { advantages, recordShares } = turns;
  const logRatio = tf.sub(recordLogprobs(logprobs, turns), turns.oldLogprobs);
  const ratio = tf.exp(tf.clipByValue(logRatio, -maxLogRatio, maxLogRatio));
  const [low, high] = [1 - spec.clipLow, 1 + spec.clipHigh];
  const clipped = tf.mul(tf.clipByValue(ratio, low, high), advantages);
  let surrogate = tf.minimum(tf.mul(ratio, advantages), clipped);
  // For A ≥ 0 the floor is 0 and the surrogate is not below it: dual clip acts on negative advantages alone.
  if (spec.dualClip !== null)
    surrogate = tf.maximum(surrogate, tf.mul(tf.minimum(advantages, 0), spec.dualClip));
  const entropy = meanEntropy(logprobs, turns.siteShares);
  const share = (event: tf.Tensor): tf.Scalar =>
    tf.sum(tf.mul(tf.cast(event, 'float32'), recordShares));
  const clippedLow = tf.logicalAnd(tf.less(advantages, 0), tf.less(ratio, low));
  const clippedHigh = tf.logicalAnd(tf.greater(advantages, 0), tf.greater(ratio, high));
  const policyLoss = tf.neg(tf.sum(tf.mul(surrogate, recordShares)));
  const weighted: tf.Scalar = tf.neg(tf.sum(tf.mul(surrogate, turns.recordWeights)));
  const bonus = tf.mul(entropy, spec.entropyCoef * weightShare);
  return {
    loss: spec.entropyCoef === 0 ? weighted : tf.sub(weighted, bonus),
    stats: stackScalars([policyLoss, entropy, share(clippedLow), share(clippedHigh)]),
  };
}

/** Cross-entropy on the action tokens. Unit: nats per token. */
export function supervisedObjective(logits: tf.Tensor2D, turns: DeviceTurns): Objective {
  const logprobs = tf.logSoftmax(logits);
  const chosen = recordLogprobs(logprobs, turns);
  const loss = tf.neg(tf.sum<tf.Scalar>(tf.mul(chosen, turns.recordWeights)));
  const mean = tf.neg(tf.sum(tf.mul(chosen, turns.recordShares)));
  const entropy = meanEntropy(logprobs, turns.siteShares);
  return { loss, stats: stackScalars([mean, entropy, tf.scalar(0), tf.scalar(0)]) };
}

/** KL(old ‖ new) on the sampled tokens, k3 = exp(d) − 1 − d with d = logprob − oldLogprob. Schulman 2020. Unit: nats. */
export function approxKl(logits: tf.Tensor2D, turns: DeviceTurns): tf.Scalar {
  const chosen = recordLogprobs(tf.logSoftmax(logits), turns);
  const raw = tf.sub(chosen, turns.oldLogprobs);
  const d = tf.clipByValue(raw, -maxLogRatio, maxLogRatio);
  return tf.sum(tf.mul(tf.sub(tf.sub(tf.exp(d), 1), d), turns.recordShares));
}
