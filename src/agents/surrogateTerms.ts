import * as tf from '@tensorflow/tfjs-core';
import type { LossSpec } from '../config/experimentSpec';

/** Token losses of the policy losses in tfjs ops; `rl/surrogateLoss` is the same on plain arrays, and a test compares. */

/** Beyond this a ratio is clamped, as verl does: exp would overflow and 0 · ∞ give NaN. Unit: nats. */
export const maxLogRatio = 20;

/** Distinct turns [N, L] as their loss sees them. */
export interface ScoredTurns {
  /** [N, L] under the current weights; 0 where the mask is 0. */
  readonly logprobs: tf.Tensor2D;
  /** [N, L] */
  readonly oldLogprobs: tf.Tensor2D;
  /** [N, L] */
  readonly mask: tf.Tensor2D;
  /** [N, 1] */
  readonly advantages: tf.Tensor2D;
}

export interface TokenTerms {
  /** [N, L] to minimise; 0 where the mask is 0. */
  readonly losses: tf.Tensor2D;
  /** [N, L] 1 where the bound removed the gradient (CISPO: cut the weight). */
  readonly clippedLow: tf.Tensor2D;
  readonly clippedHigh: tf.Tensor2D;
}

/** x as a constant: tfjs has no such op. */
function stopGradient<T extends tf.Tensor>(x: T): T {
  const hold = tf.customGrad<T>(() => ({
    value: tf.clone(x),
    gradFunc: (dy) => tf.zerosLike(dy),
  }));
  return hold(x);
}

/** exp of a log-ratio bounded to ±20. */
function boundedExp(logRatio: tf.Tensor2D): tf.Tensor2D {
  return tf.exp(tf.clipByValue(logRatio, -maxLogRatio, maxLogRatio));
}

/** [N, L] mean of the log-ratios over each turn's tokens, at each of its tokens. */
function turnLogRatios(logRatios: tf.Tensor2D, mask: tf.Tensor2D): tf.Tensor2D {
  const lengths = tf.maximum(tf.sum(mask, 1, true), 1);
  const means = tf.div(tf.sum(tf.mul(logRatios, mask), 1, true), lengths);
  return tf.mul(means, tf.onesLike(logRatios));
}

function flags(condition: tf.Tensor, mask: tf.Tensor2D): tf.Tensor2D {
  return tf.mul(tf.cast(condition, 'float32'), mask);
}

/** max(−Aρ, −A·clip(ρ)), for A < 0 at most −A·c. */
function clippedTerms(
  ratio: tf.Tensor2D,
  { advantages, mask }: ScoredTurns,
  bounds: { clipLow: number; clipHigh: number; dualClip: number | null },
): TokenTerms {
  const [low, high] = [1 - bounds.clipLow, 1 + bounds.clipHigh];
  const clipped = tf.mul(tf.clipByValue(ratio, low, high), advantages);
  let surrogate: tf.Tensor2D = tf.minimum(tf.mul(ratio, advantages), clipped);
  // For A ≥ 0 the floor is 0 and the surrogate is not below it: dual clip acts on negative advantages alone.
  if (bounds.dualClip !== null)
    surrogate = tf.maximum(surrogate, tf.mul(tf.minimum(advantages, 0), bounds.dualClip));
  return {
    losses: tf.mul(tf.neg(surrogate), mask),
    clippedLow: flags(tf.logicalAnd(tf.less(advantages, 0), tf.less(ratio, low)), mask),
    clippedHigh: flags(tf.logicalAnd(tf.greater(advantages, 0), tf.greater(ratio, high)), mask),
  };
}

/** −w·A·logprob with the constant w = clip(ρ, low, high). */
function cispoTerms(ratio: tf.Tensor2D, turns: ScoredTurns, low: number, high: number): TokenTerms {
  const { advantages, logprobs, mask } = turns;
  const weight = stopGradient<tf.Tensor2D>(tf.clipByValue(ratio, low, high));
  return {
    losses: tf.mul(tf.neg(tf.mul(tf.mul(weight, advantages), logprobs)), mask),
    clippedLow: flags(tf.less(ratio, low), mask),
    clippedHigh: flags(tf.greater(ratio, high), mask),
  };
}

/** −A·(4/τ)·σ(τ(ρ − 1)) with τ by the sign of A. */
function sapoTerms(
  ratio: tf.Tensor2D,
  { advantages, mask }: ScoredTurns,
  temperatures: { tauPositive: number; tauNegative: number },
): TokenTerms {
  const isPositive = tf.cast(tf.greater(advantages, 0), 'float32');
  const { tauPositive, tauNegative } = temperatures;
  const tau = tf.add(tf.mul(isPositive, tauPositive - tauNegative), tauNegative);
  const gate = tf.div(tf.mul(tf.sigmoid(tf.mul(tau, tf.sub(ratio, 1))), 4), tau);
  const none: tf.Tensor2D = tf.zerosLike(mask);
  return {
    losses: tf.mul(tf.neg(tf.mul(gate, advantages)), mask),
    clippedLow: none,
    clippedHigh: none,
  };
}

/** The token losses that `spec` names. */
export function surrogateTerms(turns: ScoredTurns, spec: LossSpec): TokenTerms {
  const logRatios: tf.Tensor2D = tf.mul(tf.sub(turns.logprobs, turns.oldLogprobs), turns.mask);
  switch (spec.kind) {
    case 'clip':
      return clippedTerms(boundedExp(logRatios), turns, spec);
    case 'gspo':
      return clippedTerms(boundedExp(turnLogRatios(logRatios, turns.mask)), turns, {
        ...spec,
        dualClip: null,
      });
    case 'gspoToken': {
      // sg[s]·π/sg[π]: the value of the turn's ratio, the gradient of the token's own.
      const own: tf.Tensor2D = tf.sub(logRatios, stopGradient(logRatios));
      const turn = stopGradient(turnLogRatios(logRatios, turns.mask));
      const ratio = boundedExp(tf.add(turn, own));
      return clippedTerms(ratio, turns, { ...spec, dualClip: null });
    }
    case 'cispoAbsolute':
      return cispoTerms(boundedExp(logRatios), turns, 0, spec.weightCap);
    case 'cispoBand':
      return cispoTerms(boundedExp(logRatios), turns, 1 - spec.clipLow, 1 + spec.clipHigh);
    case 'sapo':
      return sapoTerms(boundedExp(logRatios), turns, spec);
  }
}

/** [N, L] estimate of KL(policy ‖ reference) per token, to minimise; d = logprob − refLogprob. */
export function klTerms(
  logprobs: tf.Tensor2D,
  refLogprobs: tf.Tensor2D,
  estimator: LossSpec['refKlEstimator'],
): tf.Tensor2D {
  const d: tf.Tensor2D = tf.clipByValue(tf.sub(logprobs, refLogprobs), -maxLogRatio, maxLogRatio);
  switch (estimator) {
    case 'k1':
      return d;
    case 'k2':
      return tf.mul(tf.square(d), 0.5);
    case 'k3':
      return k3(d);
    case 'k3ValueK2Gradient': {
      const k2: tf.Tensor2D = tf.mul(tf.square(d), 0.5);
      return tf.add(k2, stopGradient<tf.Tensor2D>(tf.sub(k3(d), k2)));
    }
  }
}

/** exp(−d) − 1 + d. Schulman 2020. */
export function k3(d: tf.Tensor2D): tf.Tensor2D {
  return tf.add(tf.sub(tf.exp(tf.neg(d)), 1), d);
}

/** [N, 1] 0 where A < 0 and the mean of old − new over the turn exceeds `maxMeanLogRatio`, else 1. A constant. */
export function offPolicyKeep(turns: ScoredTurns, maxMeanLogRatio: number): tf.Tensor2D {
  const { logprobs, oldLogprobs, advantages, mask } = turns;
  // Inside a custom gradient, because comparisons have none that could be stopped afterwards.
  const keep = tf.customGrad<tf.Tensor2D>(() => {
    const drift: tf.Tensor2D = tf.mul(tf.sub(oldLogprobs, logprobs), mask);
    const lengths = tf.maximum(tf.sum(mask, 1, true), 1);
    const mean = tf.div(tf.sum(drift, 1, true), lengths);
    const isDropped = tf.logicalAnd(tf.less(advantages, 0), tf.greater(mean, maxMeanLogRatio));
    return {
      value: tf.sub(1, tf.cast(isDropped, 'float32')),
      gradFunc: () => tf.zerosLike(logprobs),
    };
  });
  return keep(logprobs);
}
