import { medianOfSorted } from './median';

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

/** Online form: is `value` a spike after what `window` holds? Then takes it into `window`, in place. */
export function isSpikeNext(window: SpikeWindow, value: number): boolean {
  if (!Number.isFinite(value)) return true;
  const { sorted } = window;
  const isSpike =
    sorted.length >= spikeRule.minValues && value > spikeRule.factor * medianOfSorted(sorted);
  if (value > 0) take(window, value);
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
