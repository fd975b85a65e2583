import * as tf from '@tensorflow/tfjs-core';
import type { LossSpec } from '../config/experimentSpec';
import type { PackedTurns } from './packTurns';
import { k3, klTerms, maxLogRatio, offPolicyKeep, surrogateTerms } from './surrogateTerms';
import { oneHotRows, type Sites } from './tfjsModel';

/** The objective of one agent's turns in tfjs ops, with its statistics. */

/** A packed batch on the device. Dispose all of it when the update is done. */
export interface DeviceTurns {
  readonly tokens: tf.Tensor2D;
  readonly sites: Sites;
  /** [K] share of the agent's action tokens drawn at the site. */
  readonly siteShares: tf.Tensor1D;
  /** int32 [N·L] */
  readonly turnSites: tf.Tensor1D;
  /** int32 [N·L] */
  readonly turnTokens: tf.Tensor1D;
  /** [N, L] */
  readonly mask: tf.Tensor2D;
  /** [N, L] share of the agent's action tokens; 0 where the mask is 0. */
  readonly tokenShares: tf.Tensor2D;
  /** [N, L] of penalties on every token. */
  readonly tokenWeights: tf.Tensor2D;
  /** [N, L] of the token losses. */
  readonly lossWeights: tf.Tensor2D;
  /** [N, L] */
  readonly oldLogprobs: tf.Tensor2D;
  /** [N, 1] */
  readonly advantages: tf.Tensor2D;
}

export function uploadTurns(packed: PackedTurns): DeviceTurns {
  const { actionWidth, turnCounts, numActionTokens, mask } = packed;
  const shape: [number, number] = [turnCounts.length, actionWidth];
  const tokenShares = mask.map(
    (counts, cell) => (counts * turnCounts[Math.floor(cell / actionWidth)]!) / numActionTokens,
  );
  return {
    tokens: tf.tensor2d(packed.tokens, [packed.numSequences, packed.length], 'int32'),
    sites: {
      rows: tf.tensor1d(packed.siteRows, 'int32'),
      siteOfRow: tf.tensor1d(packed.siteOfRow, 'int32'),
    },
    siteShares: tf.tensor1d(packed.siteCounts.map((count) => count / numActionTokens)),
    turnSites: tf.tensor1d(packed.turnSites, 'int32'),
    turnTokens: tf.tensor1d(packed.turnTokens, 'int32'),
    mask: tf.tensor2d(mask, shape),
    tokenShares: tf.tensor2d(tokenShares, shape),
    tokenWeights: tf.tensor2d(packed.tokenWeights, shape),
    lossWeights: tf.tensor2d(packed.lossWeights, shape),
    oldLogprobs: tf.tensor2d(packed.oldLogprobs, shape),
    advantages: tf.tensor2d(packed.advantages, [turnCounts.length, 1]),
  };
}

export function disposeTurns(turns: DeviceTurns): void {
  const { sites, ...rest } = turns;
  tf.dispose([...Object.values(rest), sites.rows, sites.siteOfRow]);
}

/**
 * Log-probability of each action token; 0 where the mask is 0. [K, V] → [N, L].
 * Gathered forwards; backwards a one-hot product, because several tokens may share a site and a scatter-add of floats has no
 * fixed order on a GPU and no kernel on wasm.
 */
export function tokenLogprobs(logprobs: tf.Tensor2D, turns: DeviceTurns): tf.Tensor2D {
  const [numSites, vocabularySize] = logprobs.shape;
  const select = tf.customGrad<tf.Tensor1D>(() => {
    const cells = tf.add<tf.Tensor1D>(
      tf.mul(turns.turnSites, tf.scalar(vocabularySize, 'int32')),
      turns.turnTokens,
    );
    return {
      value: tf.gather(tf.reshape<tf.Rank.R1>(logprobs, [-1]), cells),
      gradFunc: (dy) => {
        const perToken = tf.mul(
          oneHotRows(turns.turnTokens, vocabularySize),
          tf.reshape(dy, [-1, 1]),
        );
        return tf.matMul(tf.transpose(oneHotRows(turns.turnSites, numSites)), perToken);
      },
    };
  });
  return tf.mul(tf.reshape(select(logprobs), turns.mask.shape), turns.mask);
}

/** [scalars] */
export function stackScalars(scalars: readonly tf.Tensor[]): tf.Tensor1D {
  return tf.reshape(tf.stack([...scalars]), [scalars.length]);
}

/** Names of an objective's statistics, in the order of `Objective.stats`. */
export const objectiveStats = [
  'policyLoss',
  'entropy',
  'clipFractionLow',
  'clipFractionHigh',
  'refKl',
  'drift',
  'weightSquares',
  'weightMean',
] as const;

interface Objective {
  /** Minimised. */
  readonly loss: tf.Scalar;
  /**
   * [objectiveStats] agent-token means: policy loss, entropy (nats), clipped fractions, k3 to the reference (nats), k3 between the
   * sampling and the current policy (nats), and ρ² and ρ for the effective sample size.
   */
  readonly stats: tf.Tensor1D;
}

/** −Σ p log p averaged over the action tokens' sites. Unit: nats per token. */
function meanEntropy(logprobs: tf.Tensor2D, shares: tf.Tensor1D): tf.Scalar {
  const entropies = tf.neg(tf.sum(tf.mul(tf.exp(logprobs), logprobs), -1));
  return tf.sum(tf.mul(entropies, shares));
}

/** What a policy-gradient objective needs beside logits and turns. */
export interface ObjectiveContext {
  readonly loss: LossSpec;
  /** This slice's share of the policy's tokens, so that slices add up. */
  readonly tokenShare: number;
  /** [N, L] under the frozen reference; null without a KL penalty. A constant. */
  readonly refLogprobs: tf.Tensor2D | null;
}

/** Scores the turns with the loss that the context names. */
export function policyGradientObjective(
  logits: tf.Tensor2D,
  turns: DeviceTurns,
  { loss: spec, tokenShare, refLogprobs }: ObjectiveContext,
): Objective {
  const all = tf.logSoftmax(logits);
  const logprobs = tokenLogprobs(all, turns);
  const { oldLogprobs, mask, advantages, tokenShares } = turns;
  const scored = { logprobs, oldLogprobs, mask, advantages };
  const terms = surrogateTerms(scored, spec);
  const entropy = meanEntropy(all, turns.siteShares);
  const mean = (x: tf.Tensor): tf.Scalar => tf.sum(tf.mul(x, tokenShares));
  const keep = spec.maxMeanLogRatio === null ? null : offPolicyKeep(scored, spec.maxMeanLogRatio);
  const kept = (weights: tf.Tensor2D): tf.Tensor2D =>
    keep === null ? weights : tf.mul(weights, keep);
  const parts: tf.Scalar[] = [tf.sum(tf.mul(terms.losses, kept(turns.lossWeights)))];
  if (spec.entropyCoef !== 0) parts.push(tf.mul(entropy, -spec.entropyCoef * tokenShare));
  let refKl = tf.scalar(0);
  if (refLogprobs !== null) {
    if (spec.refKlIn === 'loss') {
      const estimates = klTerms(logprobs, refLogprobs, spec.refKlEstimator);
      const penalty = tf.sum(tf.mul(estimates, kept(turns.tokenWeights)));
      parts.push(tf.mul(penalty, spec.refKlCoef));
    }
    refKl = mean(klTerms(logprobs, refLogprobs, 'k3'));
  }
  const logRatios: tf.Tensor2D = tf.clipByValue(
    tf.sub(logprobs, oldLogprobs),
    -maxLogRatio,
    maxLogRatio,
  );
  const ratios = tf.exp(logRatios);
  const drift = mean(k3(tf.neg(logRatios)));
  const clipped = [mean(terms.clippedLow), mean(terms.clippedHigh)];
  const sampling = [drift, mean(tf.square(ratios)), mean(ratios)];
  return {
    loss: parts.reduce((sum, part) => tf.add(sum, part)),
    stats: stackScalars([mean(terms.losses), entropy, ...clipped, refKl, ...sampling]),
  };
}

/** Cross-entropy on the action tokens. Unit: nats per token. */
export function supervisedObjective(logits: tf.Tensor2D, turns: DeviceTurns): Objective {
  const all = tf.logSoftmax(logits);
  const logprobs = tokenLogprobs(all, turns);
  const loss = tf.neg(tf.sum<tf.Scalar>(tf.mul(logprobs, turns.tokenWeights)));
  const mean = tf.neg(tf.sum(tf.mul(logprobs, turns.tokenShares)));
  const entropy = meanEntropy(all, turns.siteShares);
  const rest = Array.from({ length: objectiveStats.length - 2 }, () => tf.scalar(0));
  return { loss, stats: stackScalars([mean, entropy, ...rest]) };
}

/** KL(old ‖ new) on the sampled tokens, k3 = exp(d) − 1 − d with d = logprob − oldLogprob. Schulman 2020. Unit: nats. */
export function approxKl(logits: tf.Tensor2D, turns: DeviceTurns): tf.Scalar {
  const logprobs = tokenLogprobs(tf.logSoftmax(logits), turns);
  const d: tf.Tensor2D = tf.clipByValue(
    tf.sub(logprobs, turns.oldLogprobs),
    -maxLogRatio,
    maxLogRatio,
  );
  return tf.sum(tf.mul(k3(tf.neg(d)), turns.tokenShares));
}
