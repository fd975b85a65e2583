/** Which bound limits a token. */
type ClippedBy = 'none' | 'low' | 'high' | 'dual';

/** One token's part of a surrogate loss. */
export interface TokenTerm {
  /** To minimise. Unit: that of the advantage; CISPO: times nats. */
  readonly loss: number;
  /** ∂loss/∂log ρ, with what the formula holds constant held constant. */
  readonly slope: number;
  readonly clippedBy: ClippedBy;
}

/** The trust region of PPO and its kin. */
export interface ClipBounds {
  /** The ratio is clipped to [1 − clipLow, 1 + clipHigh]. */
  readonly clipLow: number;
  readonly clipHigh: number;
  /** c > 1: with A < 0 a token's loss is at most c·|A|; null = off. */
  readonly dualClip: number | null;
}

/** Where CISPO cuts the weight of a token. */
export type CispoBounds =
  /** min(ρ, high): no lower bound. TRL (`loss_type="cispo"`), whose `epsilon_high` is this number itself; 5.0 there. */
  | { readonly kind: 'absoluteHigh'; readonly high: number }
  /** clip(ρ, 1 − clipLow, 1 + clipHigh). verl (`compute_policy_loss_cispo`) and slime. */
  | { readonly kind: 'band'; readonly clipLow: number; readonly clipHigh: number };

/** Temperatures of the soft gate of SAPO; higher = narrower. */
export interface SapoTemperatures {
  /** τ for A > 0; 1.0 in TRL and verl. */
  readonly tauPositive: number;
  /** τ for A ≤ 0; 1.05 in TRL and verl. */
  readonly tauNegative: number;
}

/**
 * max(−Aρ, −A·clip(ρ, 1 − clipLow, 1 + clipHigh)), for A < 0 at most −A·c; slope −Aρ, or 0 where a bound makes the loss constant.
 * PPO: Schulman et al. 2017 (arXiv 1707.06347) Eq. 7. Dual clip: Ye et al. 2020 (arXiv 1912.09729) Eq. 5.
 * At a tie (ρ exactly on a bound) the slope is −Aρ.
 */
export function clippedTerm(advantage: number, ratio: number, bounds: ClipBounds): TokenTerm {
  const clippedBy = clipOf(advantage, ratio, bounds);
  switch (clippedBy) {
    case 'none':
      return { loss: -advantage * ratio, slope: -advantage * ratio, clippedBy };
    case 'low':
      return { loss: -advantage * (1 - bounds.clipLow), slope: 0, clippedBy };
    case 'high':
      return { loss: -advantage * (1 + bounds.clipHigh), slope: 0, clippedBy };
    case 'dual':
      return { loss: -advantage * (bounds.dualClip ?? ratio), slope: 0, clippedBy };
  }
}

/** Which bound, if any, makes the token's loss constant. */
function clipOf(advantage: number, ratio: number, bounds: ClipBounds): ClippedBy {
  if (advantage > 0) return ratio > 1 + bounds.clipHigh ? 'high' : 'none';
  if (advantage === 0) return 'none';
  if (bounds.dualClip !== null && ratio > bounds.dualClip) return 'dual';
  return ratio < 1 - bounds.clipLow ? 'low' : 'none';
}

/**
 * CISPO: −w·A·logprob with the constant w = clip(ρ); slope −w·A, also for a token whose weight is cut.
 * As described for MiniMax-M1 (arXiv 2506.13585); formula as in the code of TRL and verl, not verified against the primary text.
 * A = 0 gives 0 even where logprob is −Infinity. `logprob` in nats.
 */
export function cispoTerm(
  advantage: number,
  ratio: number,
  logprob: number,
  bounds: CispoBounds,
): TokenTerm {
  const low = bounds.kind === 'band' ? 1 - bounds.clipLow : 0;
  const high = bounds.kind === 'band' ? 1 + bounds.clipHigh : bounds.high;
  const weight = Math.min(high, Math.max(low, ratio));
  const cutAbove = ratio > high ? 'high' : 'none';
  return {
    loss: advantage === 0 ? 0 : -weight * advantage * logprob,
    slope: -weight * advantage,
    clippedBy: ratio < low ? 'low' : cutAbove,
  };
}

/**
 * SAPO: −A·(4/τ)·σ(x) with x = τ(ρ − 1); slope −A·4σ(x)(1 − σ(x))·ρ. At ρ = 1 the slope is −A: the 4 undoes σ′(0) = ¼.
 * As described in Gao et al. 2025 (arXiv 2511.20347); formula as in the code of TRL and verl, not verified against the primary text.
 * Nothing is clipped: the slope fades out on both sides.
 */
export function sapoTerm(
  advantage: number,
  ratio: number,
  temperatures: SapoTemperatures,
): TokenTerm {
  const tau = advantage > 0 ? temperatures.tauPositive : temperatures.tauNegative;
  const x = tau * (ratio - 1);
  const gate = 1 / (1 + Math.exp(-x));
  // σ(−x) instead of 1 − σ(x), which has lost all digits from x = 37 on.
  const rest = 1 / (1 + Math.exp(x));
  return {
    loss: -advantage * (4 / tau) * gate,
    slope: -advantage * 4 * gate * rest * ratio,
    clippedBy: 'none',
  };
}
