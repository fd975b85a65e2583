/**
 * Turn tags that say why a turn failed, turned into a factor on the trajectory's advantage.
 * SEAL (arXiv 2605.24426), "A-Patch" in the authors' code: `agentevolver/module/tocf/{apatch,state}.py` in
 * yihaohu0118/research_agent@49daa45, numbers from `exp/SEAL.yaml` in yihaohu0118/SEAL@7d799ff. Taken from the code; not
 * compared with the paper's text.
 */

export interface FailureTagRule {
  /** Tag → weight before any adaptation; a tag that is not listed weighs 1. SEAL: 0.6 … 2. */
  readonly weights: ReadonlyMap<string, number>;
  /** Tags of turns that passed: their weight is not adapted. SEAL: `pass`. */
  readonly passTags: ReadonlySet<string>;
  /** Tags that speak of the checker and not of the agent: never counted. SEAL: `checker_error`, `gt_error`. */
  readonly infrastructureTags: ReadonlySet<string>;
  /** Bounds of the factor, and of a weight's target. SEAL: 0.5 and 2. */
  readonly minScale: number;
  readonly maxScale: number;
}

/**
 * Factor of one trajectory: clamp(mean over its turn tags of w[tag], minScale, maxScale), infrastructure tags left out.
 * `apatch.py::_trajectory_scale`. 1 if no tag is left, whatever the bounds.
 * @param turnTags one per judged turn, in any order.
 * Throws a RangeError unless 0 ≤ minScale ≤ maxScale.
 */
export function failureTagScale(
  turnTags: readonly string[],
  weights: ReadonlyMap<string, number>,
  rule: FailureTagRule,
): number {
  assertBounds(rule);
  const counted = turnTags.filter((tag) => !rule.infrastructureTags.has(tag));
  if (counted.length === 0) return 1;
  const sum = counted.reduce((total, tag) => total + (weights.get(tag) ?? 1), 0);
  return clamped(sum / counted.length, rule);
}

/** Which advantages the factor multiplies. */
export type ScaledAdvantages = 'all' | 'positive' | 'negative';

/**
 * A·scale where the sign is among `applyTo`, A elsewhere. [B] and [B] in, [B] out. `apatch.py::apply_apatch_advantage_weighting`.
 * Throws a RangeError on unequal lengths.
 */
export function scaleAdvantages(
  advantages: Float64Array,
  scales: Float64Array,
  applyTo: ScaledAdvantages,
): Float64Array {
  if (scales.length !== advantages.length)
    throw new RangeError(
      `scales has ${scales.length} entries, advantages ${advantages.length}: give one of each per trajectory.`,
    );
  return advantages.map((advantage, index) =>
    isScaled(advantage, applyTo) ? advantage * scales[index]! : advantage,
  );
}

function isScaled(advantage: number, applyTo: ScaledAdvantages): boolean {
  switch (applyTo) {
    case 'all':
      return true;
    case 'positive':
      return advantage > 0;
    case 'negative':
      return advantage < 0;
  }
}

/** What a batch says about one tag. */
export interface TagTally {
  /** Turns with the tag. */
  readonly count: number;
  /** Sum over these turns of their trajectory's reward, 0..1 each. */
  readonly rewardSum: number;
}

/** A trajectory as the tally sees it. */
export interface TaggedTrajectory {
  readonly turnTags: readonly string[];
  /** Unit: reward, 0..1 (1 = solved). */
  readonly reward: number;
}

/** Tag → how often it occurred and what its trajectories earned, infrastructure tags left out. `state.py::observe`. */
export function tallyTags(
  trajectories: readonly TaggedTrajectory[],
  infrastructureTags: ReadonlySet<string>,
): ReadonlyMap<string, TagTally> {
  const tallies = new Map<string, TagTally>();
  for (const { turnTags, reward } of trajectories)
    for (const tag of turnTags) {
      if (infrastructureTags.has(tag)) continue;
      const { count, rewardSum } = tallies.get(tag) ?? { count: 0, rewardSum: 0 };
      tallies.set(tag, { count: count + 1, rewardSum: rewardSum + reward });
    }
  return tallies;
}

/** What the adaptation remembers between iterations. */
export interface FailureTagState {
  /** Tag → adapted weight; a tag that was never seen has its weight from the rule. */
  readonly weights: ReadonlyMap<string, number>;
  /** Tag → moving share of the tagged turns, 0..1, sum 1: the histogram to chart. Empty before the first tagged turn. */
  readonly prevalences: ReadonlyMap<string, number>;
}

/** The state before the first iteration. */
export function initialFailureTagState(rule: FailureTagRule): FailureTagState {
  return { weights: rule.weights, prevalences: new Map() };
}

export interface TagAdaptation {
  /** β, 0..1: share of the new in the moving averages. SEAL: 0.25; 0 = fixed weights. */
  readonly emaBeta: number;
  /** α ≥ 0: how much a frequent, unsolved failure gains. SEAL: 1. */
  readonly prevalenceAlpha: number;
  /** Turns with a tag from which its tally is trusted in full, ≥ 1. SEAL: 32. */
  readonly confidenceSamples: number;
}

/**
 * Moves every weight towards clamp(base·(1 + α·prevalence·stagnation·confidence), minScale, maxScale) by the share β:
 * prevalence = count/Σ count, stagnation = 1 − mean reward of the turns' trajectories, confidence = min(1, count/confidenceSamples).
 * `state.py::update_dynamic_tag_weights`. Pass tags aim at their base. The moving shares are ours; they start at the first shares seen.
 * A batch without a counted tag changes nothing. Throws a RangeError on α, β or confidenceSamples out of range.
 */
export function adaptFailureTags(
  state: FailureTagState,
  tallies: ReadonlyMap<string, TagTally>,
  rule: FailureTagRule,
  adaptation: TagAdaptation,
): FailureTagState {
  assertBounds(rule);
  assertAdaptation(adaptation);
  const total = [...tallies.values()].reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return state;
  const tags = new Set([...rule.weights.keys(), ...state.weights.keys(), ...tallies.keys()]);
  const weights = new Map<string, number>();
  const prevalences = new Map<string, number>();
  for (const tag of tags) {
    const tally = tallies.get(tag) ?? { count: 0, rewardSum: 0 };
    const base = rule.weights.get(tag) ?? 1;
    const target = rule.passTags.has(tag) ? base : targetWeight(base, tally, total, adaptation);
    const weight = state.weights.get(tag) ?? base;
    weights.set(tag, moved(weight, clamped(target, rule), adaptation.emaBeta));
    const share = tally.count / total;
    const before = state.prevalences.size === 0 ? share : (state.prevalences.get(tag) ?? 0);
    prevalences.set(tag, moved(before, share, adaptation.emaBeta));
  }
  return { weights, prevalences };
}

function targetWeight(
  base: number,
  { count, rewardSum }: TagTally,
  total: number,
  { prevalenceAlpha, confidenceSamples }: TagAdaptation,
): number {
  if (count === 0) return base;
  const stagnation = 1 - rewardSum / count;
  const confidence = Math.min(1, count / confidenceSamples);
  return base * (1 + prevalenceAlpha * (count / total) * stagnation * confidence);
}

function moved(from: number, to: number, beta: number): number {
  return (1 - beta) * from + beta * to;
}

function clamped(value: number, { minScale, maxScale }: FailureTagRule): number {
  return Math.min(maxScale, Math.max(minScale, value));
}

function assertBounds({ minScale, maxScale }: FailureTagRule): void {
  if (!(minScale >= 0 && minScale <= maxScale))
    throw new RangeError(
      `minScale is ${minScale} and maxScale ${maxScale}: give 0 ≤ minScale ≤ maxScale.`,
    );
}

function assertAdaptation(adaptation: TagAdaptation): void {
  const { emaBeta, prevalenceAlpha, confidenceSamples } = adaptation;
  if (!(emaBeta >= 0 && emaBeta <= 1))
    throw new RangeError(`emaBeta is ${emaBeta}: give a number from 0 to 1.`);
  if (!(prevalenceAlpha >= 0))
    throw new RangeError(`prevalenceAlpha is ${prevalenceAlpha}: give a number from 0.`);
  if (!(confidenceSamples >= 1))
    throw new RangeError(`confidenceSamples is ${confidenceSamples}: give a number from 1.`);
}
