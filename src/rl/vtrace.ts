import {
  assertFraction,
  assertValueTrace,
  continuesAfter,
  valueAfter,
  type ValueTrace,
} from './valueTrace';

export interface VtraceOptions {
  /** Discount per step, 0..1. */
  readonly gamma: number;
  /** λ, 0..1: decay of the trace on top of the clip. The paper's experiments use 1. */
  readonly traceLambda: number;
  /** ρ̄: largest weight of a TD error; decides which policy the values belong to. null = no limit. */
  readonly clipRho: number | null;
  /** c̄: largest factor per step of the trace; decides how fast errors travel. null = no limit. */
  readonly clipC: number | null;
  /** Largest weight of an advantage. null = no limit. */
  readonly clipPgRho: number | null;
}

export interface VtraceEstimates {
  /** [T] v_s: what the critic is trained towards. A constant: no gradient flows through it. */
  readonly targets: Float64Array;
  /** [T] clipped ratio × (r_s + γ·v_{s+1} − V(s)): the factor of ∇ log π. */
  readonly advantages: Float64Array;
}

/**
 * V-trace: v_s = V_s + Σ_{t≥s} γ^{t−s} (Π_{s≤i<t} c_i) ρ_t (r_t + γ·V_{t+1} − V_t), with ρ_t = min(ρ̄, π/μ), c_i = λ·min(c̄, π/μ).
 * Espeholt et al. 2018, IMPALA (arXiv 1802.01561) Eq. 1, Remark 2 for λ, §4.2 for the advantage.
 * The advantage bootstraps from v_{s+1} as in the paper and `scalable_agent/vtrace.py`; rlax takes λ·v_{s+1} + (1 − λ)·V_{s+1},
 * the same at λ = 1. With π = μ the targets are the λ-returns of `gae`.
 * @param logRatios [T] log π(a) − log μ(a) of the policy trained and the one that acted. Unit: nats. −Infinity = impossible under π.
 * Throws a RangeError on unequal lengths, γ or λ outside [0, 1], or a limit below 0. Without limits a huge ratio may overflow to Infinity.
 */
export function vtrace(
  trace: ValueTrace,
  logRatios: Float64Array,
  options: VtraceOptions,
): VtraceEstimates {
  assertInputs(trace, logRatios, options);
  const { gamma, traceLambda } = options;
  const { rewards, values } = trace;
  const ratios = logRatios.map(Math.exp);
  const targets = new Float64Array(rewards.length);
  const advantages = new Float64Array(rewards.length);
  /** v_{s+1} − V_{s+1} */
  let correction = 0;
  for (let step = rewards.length - 1; step >= 0; step--) {
    const ratio = ratios[step]!;
    const tdError = rewards[step]! + gamma * valueAfter(trace, step, values) - values[step]!;
    const carried = continuesAfter(trace, step)
      ? gamma * traceLambda * limited(ratio, options.clipC) * correction
      : 0;
    correction = limited(ratio, options.clipRho) * tdError + carried;
    targets[step] = values[step]! + correction;
    advantages[step] =
      limited(ratio, options.clipPgRho) *
      (rewards[step]! + gamma * valueAfter(trace, step, targets) - values[step]!);
  }
  return { targets, advantages };
}

function limited(ratio: number, limit: number | null): number {
  return limit === null ? ratio : Math.min(limit, ratio);
}

function assertInputs(trace: ValueTrace, logRatios: Float64Array, options: VtraceOptions): void {
  assertValueTrace(trace);
  assertFraction('gamma', options.gamma);
  assertFraction('traceLambda', options.traceLambda);
  if (logRatios.length !== trace.rewards.length)
    throw new RangeError(
      `logRatios has ${logRatios.length} entries, rewards ${trace.rewards.length}: give one of each per step.`,
    );
  const { clipRho, clipC, clipPgRho } = options;
  for (const [name, limit] of Object.entries({ clipRho, clipC, clipPgRho }))
    if (limit !== null && !(limit >= 0))
      throw new RangeError(`${name} is ${limit}: give a number from 0, or null for no limit.`);
}
