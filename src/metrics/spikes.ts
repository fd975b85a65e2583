import { median, medianOfSorted } from './median';

/**
 * Spikes of a gradient norm: a value above 3 × the median of the last 25 values before it, or one that is not finite.
 * The papers show curves and give no rule; this one needs no tuning and a level that has really moved stops being a
 * spike after 13 iterations. Which values the window holds:
 * - finite ones above 0, spikes included: the median does not mind them. A norm of exactly 0 says that the agent had
 *   no signal; kept, a few of them would turn every later gradient into a spike;
 * - at least 5 of them, otherwise a finite value is never a spike.
 */
export const spikeRule = { factor: 3, window: 25, minValues: 5 } as const;

/** The values the rule looks back on; belongs to `isSpikeNext`. */
export interface SpikeWindow {
  /** Oldest first. */
  readonly recent: number[];
  /** The same values, increasing: a median without sorting, since a page asks for thousands. */
  readonly sorted: number[];
}

export function createSpikeWindow(): SpikeWindow {
  return { recent: [], sorted: [] };
}

/** First position in increasing `sorted` whose value is ≥ `value`. */
function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function take({ recent, sorted }: SpikeWindow, value: number): void {
  recent.push(value);
  sorted.splice(lowerBound(sorted, value), 0, value);
  if (recent.length <= spikeRule.window) return;
  sorted.splice(lowerBound(sorted, recent.shift()!), 1);
}

/** The rule itself, for a value that comes after what `window` holds. */
function isAboveRule({ sorted }: SpikeWindow, value: number): boolean {
  if (!Number.isFinite(value)) return true;
  return sorted.length >= spikeRule.minValues && value > spikeRule.factor * medianOfSorted(sorted);
}

/** Online form: is `value` a spike after what `window` holds? Then takes it into `window`, in place. */
export function isSpikeNext(window: SpikeWindow, value: number): boolean {
  const isSpike = isAboveRule(window, value);
  if (Number.isFinite(value) && value > 0) take(window, value);
  return isSpike;
}

/** [k] positions of the spikes in one line of norms, increasing. Equal to the online form, value by value. */
export function spikePositions(norms: Float64Array): number[] {
  const window = createSpikeWindow();
  const positions: number[] = [];
  for (const [position, norm] of norms.entries())
    if (isSpikeNext(window, norm)) positions.push(position);
  return positions;
}

/** Makes the median absolute deviation of a normal sample its standard deviation: 1/Φ⁻¹(¾). Rousseeuw & Croux 1993, JASA 88, §1. */
const madToStd = 1.4826;

/**
 * How far a norm lies from those before it, on the scale on which norms are compared: z = (ln g − median)/(1.4826·MAD), median and
 * MAD of the logarithms that `before` holds (Iglewicz & Hoaglin 1993 call it the modified z-score). A severity, not the rule that counts.
 * Infinity for a norm that is not finite, and above values that are all equal; 0 at values that are all equal to it.
 * Null before the rule looks at all (less than 5 values). Unit: standard deviations.
 * @param before increasing, finite, > 0
 */
export function logNormZScore(before: readonly number[], norm: number): number | null {
  if (!Number.isFinite(norm)) return Infinity;
  if (before.length < spikeRule.minValues) return null;
  const logs = before.map(Math.log);
  const center = medianOfSorted(logs);
  const deviation = Math.log(norm) - center;
  const spread = madToStd * median(logs.map((log) => Math.abs(log - center)));
  return deviation === 0 ? 0 : deviation / spread;
}

/** One spike of one line of norms. */
export interface NormSpike {
  readonly position: number;
  /** May be NaN or infinite. */
  readonly norm: number;
  /** Of the values that the rule compares it with; NaN without any. */
  readonly medianBefore: number;
  /** `logNormZScore`. */
  readonly zScore: number | null;
}

/** The spikes at `spikePositions`, with how far each stands out. */
export function spikesIn(norms: Float64Array): NormSpike[] {
  const window = createSpikeWindow();
  const spikes: NormSpike[] = [];
  for (const [position, norm] of norms.entries()) {
    // Looked at before the norm itself is taken into the window.
    if (isAboveRule(window, norm))
      spikes.push({
        position,
        norm,
        medianBefore: medianOfSorted(window.sorted),
        zScore: logNormZScore(window.sorted, norm),
      });
    isSpikeNext(window, norm);
  }
  return spikes;
}
