/**
 * Detectors of a collapsed policy for the policy-gradient design matrix: valid-action rate, KL and gradient norm.
 * ARLArena (arXiv 2602.21534) watches these three, as described in secondary sources; the paper gives no thresholds that
 * were verified. The rule "less than half of its own peak" is the design matrix's; the other two are ours.
 */

export type CollapseSign = 'validActionRate' | 'approxKl' | 'gradNorm';

/** Fixed order, for tables. */
export const collapseSigns: readonly CollapseSign[] = ['validActionRate', 'approxKl', 'gradNorm'];

export interface CollapseRule {
  /** 0..1: the rate counts as collapsed below this share of the highest rate so far. Design matrix: 0.5. */
  readonly minShareOfPeak: number;
  /** KL(old ‖ new) of an iteration's update above this counts as collapsed. Unit: nats. */
  readonly maxApproxKl: number;
  /** A gradient norm above this multiple of the baseline counts as collapsed; unlike a spike it has to last. */
  readonly gradNormFactor: number;
  /** Gradient norms above 0 whose median is the baseline: the first so many of the run. ≥ 1. */
  readonly baselineIterations: number;
  /** Observations in a row, ≥ 1, that a sign must be beyond its threshold. A gap neither counts nor interrupts. */
  readonly patience: number;
}

/** One iteration of one agent. null = not measured, such as an agent that did not act. */
export interface CollapseObservation {
  readonly iteration: number;
  /** 0..1 */
  readonly validActionRate: number | null;
  /** Unit: nats. NaN or ±Infinity is beyond every threshold. */
  readonly approxKl: number | null;
  /** Before clipping. NaN or Infinity is beyond every threshold. */
  readonly gradNorm: number | null;
}

interface SignState {
  /** Observations in a row beyond the threshold. */
  readonly runLength: number;
  /** Iteration in which that row began; null while there is none. */
  readonly since: number | null;
  /** First iteration of the first row that was long enough; null = healthy so far. Never taken back. */
  readonly collapsedAt: number | null;
}

/** What the detectors remember: plain data, so that a checkpoint can hold it. */
export interface CollapseState {
  readonly peakValidActionRate: number;
  /** First finite gradient norms above 0, at most `baselineIterations`. */
  readonly baselineNorms: readonly number[];
  readonly signs: Readonly<Record<CollapseSign, SignState>>;
}

const healthy: SignState = { runLength: 0, since: null, collapsedAt: null };

/** The state before the first iteration. */
export const initialCollapseState: CollapseState = {
  peakValidActionRate: 0,
  baselineNorms: [],
  signs: { validActionRate: healthy, approxKl: healthy, gradNorm: healthy },
};

/**
 * Takes one iteration into the state; the state given is not changed. A rate is compared with the peak before it, a norm with
 * the baseline once that is complete. Throws a RangeError on a rate outside 0..1 or a rule that makes no sense.
 */
export function observeCollapse(
  state: CollapseState,
  observation: CollapseObservation,
  rule: CollapseRule,
): CollapseState {
  assertRule(rule);
  const { iteration, validActionRate, approxKl, gradNorm } = observation;
  if (validActionRate !== null && !(validActionRate >= 0 && validActionRate <= 1))
    throw new RangeError(
      `validActionRate is ${validActionRate}: give a share from 0 to 1, or null.`,
    );
  const lowestRate = rule.minShareOfPeak * state.peakValidActionRate;
  const highestNorm = normLimit(state.baselineNorms, rule);
  const next = (sign: CollapseSign, isBeyond: boolean | null): SignState =>
    isBeyond === null
      ? state.signs[sign]
      : nextSign(state.signs[sign], isBeyond, iteration, rule.patience);
  return {
    peakValidActionRate: Math.max(state.peakValidActionRate, validActionRate ?? 0),
    baselineNorms: withNorm(state.baselineNorms, gradNorm, rule.baselineIterations),
    signs: {
      validActionRate: next(
        'validActionRate',
        validActionRate === null ? null : validActionRate < lowestRate,
      ),
      approxKl: next('approxKl', exceeds(approxKl, rule.maxApproxKl)),
      gradNorm: next('gradNorm', exceeds(gradNorm, highestNorm)),
    },
  };
}

/** The sign that showed first, with its iteration; null = healthy so far. Of several in one iteration, the first in `collapseSigns`. */
export function firstCollapse(
  state: CollapseState,
): { readonly sign: CollapseSign; readonly iteration: number } | null {
  let first: { sign: CollapseSign; iteration: number } | null = null;
  for (const sign of collapseSigns) {
    const iteration = state.signs[sign].collapsedAt;
    if (iteration !== null && (first === null || iteration < first.iteration))
      first = { sign, iteration };
  }
  return first;
}

function exceeds(value: number | null, limit: number): boolean | null {
  if (value === null) return null;
  return !Number.isFinite(value) || value > limit;
}

/** Infinity while the baseline is incomplete: until then only a norm that is not finite is beyond it. */
function normLimit(baseline: readonly number[], rule: CollapseRule): number {
  if (baseline.length < rule.baselineIterations) return Infinity;
  const sorted = baseline.toSorted((a, b) => a - b);
  const upper = sorted.length >> 1;
  const middle =
    sorted.length % 2 === 1 ? sorted[upper]! : sorted[upper - 1]! / 2 + sorted[upper]! / 2;
  return rule.gradNormFactor * middle;
}

/** A norm of 0 says that the agent had no signal; it tells nothing about the level. */
function withNorm(
  baseline: readonly number[],
  gradNorm: number | null,
  baselineIterations: number,
): readonly number[] {
  const isCounted = gradNorm !== null && Number.isFinite(gradNorm) && gradNorm > 0;
  return isCounted && baseline.length < baselineIterations ? [...baseline, gradNorm] : baseline;
}

function nextSign(
  sign: SignState,
  isBeyond: boolean,
  iteration: number,
  patience: number,
): SignState {
  if (!isBeyond) return { runLength: 0, since: null, collapsedAt: sign.collapsedAt };
  const runLength = sign.runLength + 1;
  const since = sign.since ?? iteration;
  const collapsedAt = sign.collapsedAt ?? (runLength >= patience ? since : null);
  return { runLength, since, collapsedAt };
}

function assertRule(rule: CollapseRule): void {
  const { minShareOfPeak, maxApproxKl, gradNormFactor } = rule;
  for (const [name, limit] of Object.entries({ minShareOfPeak, maxApproxKl, gradNormFactor }))
    if (!(limit >= 0)) throw new RangeError(`${name} is ${limit}: give a number from 0.`);
  const { baselineIterations, patience } = rule;
  for (const [name, count] of Object.entries({ baselineIterations, patience }))
    if (!Number.isInteger(count) || count < 1)
      throw new RangeError(`${name} is ${count}: give a whole number from 1.`);
}
