import { median } from './median';

/**
 * Spikes of a gradient norm: a value above 3 × the median of the last 25 values before it, or one that is not finite.
 * The papers show curves and give no rule; this one needs no tuning and a level that has really moved stops being a
 * spike after 13 iterations. Which values the window holds:
 * - finite ones above 0, spikes included: the median does not mind them. A norm of exactly 0 says that the agent had
 *   no signal; kept, a few of them would turn every later gradient into a spike;
 * - at least 5 of them, otherwise a finite value is never a spike.
 */
export const spikeRule = { factor: 3, window: 25, minValues: 5 } as const;

/** The values the rule looks back on, oldest first. */
export type SpikeWindow = number[];

/** Online form: is `value` a spike after what `window` holds? Then takes it into `window`, in place. */
export function isSpikeNext(window: SpikeWindow, value: number): boolean {
  if (!Number.isFinite(value)) return true;
  const isSpike = window.length >= spikeRule.minValues && value > spikeRule.factor * median(window);
  if (value > 0) {
    window.push(value);
    if (window.length > spikeRule.window) window.shift();
  }
  return isSpike;
}

/** [k] positions of the spikes in one line of norms, increasing. Equal to the online form, value by value. */
export function spikePositions(norms: Float64Array): number[] {
  const window: SpikeWindow = [];
  const positions: number[] = [];
  for (const [position, norm] of norms.entries())
    if (isSpikeNext(window, norm)) positions.push(position);
  return positions;
}
