import {
  assertFraction,
  assertValueTrace,
  continuesAfter,
  valueAfter,
  type ValueTrace,
} from './valueTrace';

export interface GaeOptions {
  /** Discount per step, 0..1. */
  readonly gamma: number;
  /** Decay of the trace, 0..1: 0 = one-step TD error, 1 = Monte Carlo return minus value. */
  readonly gaeLambda: number;
}

export interface GaeEstimates {
  /** [T] Unit: discounted reward; not standardised. */
  readonly advantages: Float64Array;
  /** [T] advantages + values: the λ-return, what the critic is trained towards. */
  readonly returns: Float64Array;
}

/**
 * Generalised advantage estimation: Â_t = Σₗ (γλ)ˡ δ_{t+l} with δ_t = r_t + γ·V(s_{t+1}) − V(s_t), up to the end of the episode.
 * Schulman et al. 2016 (arXiv 1506.02438) Eq. 16; IPPO and MAPPO use it per agent (`on-policy`, `shared_buffer.py`).
 * V(s_{t+1}) is 0 after termination and the bootstrap value after truncation; the sum stops at both. That code's
 * `use_proper_time_limits` gives a truncated step the advantage 0 instead, because it has no value of the state reached.
 * [T] in, [T] out. Throws a RangeError on unequal lengths, or γ or λ outside [0, 1].
 */
export function gae(trace: ValueTrace, { gamma, gaeLambda }: GaeOptions): GaeEstimates {
  assertValueTrace(trace);
  assertFraction('gamma', gamma);
  assertFraction('gaeLambda', gaeLambda);
  const { rewards, values } = trace;
  const advantages = new Float64Array(rewards.length);
  const returns = new Float64Array(rewards.length);
  for (let step = rewards.length - 1; step >= 0; step--) {
    const tdError = rewards[step]! + gamma * valueAfter(trace, step, values) - values[step]!;
    const carried = continuesAfter(trace, step) ? gamma * gaeLambda * advantages[step + 1]! : 0;
    advantages[step] = tdError + carried;
    returns[step] = advantages[step]! + values[step]!;
  }
  return { advantages, returns };
}
