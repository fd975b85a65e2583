import { percentileInterval } from './percentileInterval';
import { assertBootstrapOptions, forEachResample, type BootstrapOptions } from './resampling';
import { assertTaskScores, sampleSizeOf, type SampleSize, type TaskScores } from './taskScores';

/** Curves over thresholds; each array has one entry per threshold. */
export interface PerformanceProfile extends SampleSize {
  /** [n] thresholds τ, increasing. Unit: that of the scores. */
  readonly taus: Float64Array;
  /** [n] share of scores above τ, never increasing. 0..1 */
  readonly shares: Float64Array;
  /** [n] pointwise ends; NaN everywhere when a task has a single seed, because nothing is known of how seeds differ. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly level: number;
  readonly numResamples: number;
}

function assertTaus(taus: ArrayLike<number>): void {
  if (taus.length === 0) throw new RangeError('taus is empty: give one threshold at least.');
  for (let index = 0; index < taus.length; index++)
    if (!Number.isFinite(taus[index]) || (index > 0 && taus[index]! <= taus[index - 1]!))
      throw new RangeError(
        `taus has ${taus[index]} at position ${index}: give finite thresholds in increasing order, each once.`,
      );
}

/** Number of thresholds that `score` is above. */
function numPassed(score: number, taus: Float64Array): number {
  const reached = taus.findIndex((tau) => score <= tau);
  return reached < 0 ? taus.length : reached;
}

/** [numTaus] mean over tasks of the share of entries above each threshold, from how many thresholds each entry is above. */
function sharesAbove(passed: TaskScores, numTaus: number): Float64Array {
  const shares = new Float64Array(numTaus);
  for (const counts of passed) {
    // Counted in whole numbers and divided once: all above is exactly 1.
    const above = new Int32Array(numTaus + 1);
    for (let seed = 0; seed < counts.length; seed++) above[counts[seed]!]! += 1;
    for (let index = numTaus - 1; index >= 0; index--) {
      above[index]! += above[index + 1]!;
      shares[index]! += above[index + 1]! / counts.length;
    }
  }
  return shares.map((share) => share / passed.length);
}

/**
 * Run-score distribution F(τ) = mean over tasks of the share of seeds with a score above τ, strictly, with pointwise percentile
 * bands by stratified bootstrap. Agarwal et al. 2021, "Deep reinforcement learning at the edge of the statistical precipice",
 * §4. A method whose curve lies above another's everywhere is better in every quantile. The band at one τ says nothing of
 * the others: it does not hold the whole curve with the same level. The order of the seeds inside a task plays no part.
 * Memory: 8 bytes × taus × resamples while it is worked out.
 * Throws a RangeError on no tasks, a task without scores, a score that is not finite, thresholds that are empty, not finite or
 * do not increase, or options out of range.
 */
export function performanceProfile(
  scores: TaskScores,
  taus: ArrayLike<number>,
  options: BootstrapOptions,
): PerformanceProfile {
  assertBootstrapOptions(options);
  assertTaskScores(scores, 'scores');
  assertTaus(taus);
  const { level, numResamples } = options;
  const thresholds = Float64Array.from(taus);
  const numTaus = thresholds.length;
  const size = sampleSizeOf(scores);
  // All that a curve needs of a score; sorted, so that what is drawn does not depend on the order of the seeds.
  const passed = scores.map((values) =>
    Float64Array.from(values, (score) => numPassed(score, thresholds)).toSorted(),
  );
  const low = new Float64Array(numTaus).fill(NaN);
  const high = new Float64Array(numTaus).fill(NaN);
  if (size.numSeeds > 1) {
    const resampled = Array.from({ length: numTaus }, () => new Float64Array(numResamples));
    forEachResample(passed, options, (resample, index) => {
      for (const [place, share] of sharesAbove(resample, numTaus).entries())
        resampled[place]![index] = share;
    });
    for (const [place, statistics] of resampled.entries()) {
      const interval = percentileInterval(statistics, level);
      low[place] = interval.low;
      high[place] = interval.high;
    }
  }
  const shares = sharesAbove(passed, numTaus);
  return { taus: thresholds, shares, low, high, level, numResamples, ...size };
}
