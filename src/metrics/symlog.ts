import { axisOver } from './axis';

/**
 * Logarithmic far from 0 and linear near it, so one axis holds huge values, 0 and negative ones. Webber 2013, "A bi-symmetric log
 * transformation for wide-range data", Measurement Science and Technology 24, eq. 1, there with base 10.
 */

/**
 * sign(x)·ln(1 + |x|/c). Odd, increasing, slope 1/c at 0. ±Infinity and NaN stay what they are.
 * @param linearBound c > 0: below it in size the axis is nearly linear. Unit: that of `value`.
 */
export function symlog(value: number, linearBound: number): number {
  assertLinearBound(linearBound);
  return Math.sign(value) * Math.log1p(Math.abs(value) / linearBound);
}

/** Inverse of `symlog`: sign(y)·c·(exp|y| − 1). */
export function symlogInverse(position: number, linearBound: number): number {
  assertLinearBound(linearBound);
  return Math.sign(position) * linearBound * Math.expm1(Math.abs(position));
}

/** What a symlog axis has to label. */
export interface SymlogRange {
  /** low < high, finite. Unit: that of the values. */
  readonly low: number;
  readonly high: number;
  /** c > 0 of `symlog`. */
  readonly linearBound: number;
}

/**
 * Labels of a symlog axis inside [low, high], increasing, at most `maxTicks` (≥ 3): 0 and ±10ᵏ with 10ᵏ ≥ c, where neighbours
 * stand about equally far apart, with decades left out evenly when there are too many. When that gives fewer than 2, as between
 * 3 and 7, those labels of a linear axis that lie inside.
 * Throws a RangeError on a range or options that are none of these.
 */
export function symlogTicks({ low, high, linearBound }: SymlogRange, maxTicks: number): number[] {
  assertLinearBound(linearBound);
  if (!(Number.isFinite(high - low) && low < high))
    throw new RangeError(`The range is ${low} to ${high}: give finite ends, low < high.`);
  if (!(maxTicks >= 3)) throw new RangeError(`maxTicks is ${maxTicks}: expected at least 3.`);
  const isInside = (tick: number): boolean => low <= tick && tick <= high;
  // log10 may land just above a whole number at a power of ten.
  const first = Math.ceil(Math.log10(linearBound) - 1e-9);
  const last = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high), linearBound)) + 1e-9);
  for (let stride = 1; ; stride++) {
    // Counted from the bound, so that ticks stay where they are when the range grows.
    const decades: number[] = [];
    for (let power = first; power <= last; power += stride) decades.push(Number(`1e${power}`));
    const negative = decades.map((decade) => -decade).toReversed();
    const ticks = [...negative, 0, ...decades].filter(isInside);
    if (ticks.length > maxTicks) continue;
    return ticks.length >= 2
      ? ticks
      : axisOver([low, high], 'linear', maxTicks).ticks.filter(isInside);
  }
}

function assertLinearBound(linearBound: number): void {
  if (!(linearBound > 0 && Number.isFinite(linearBound)))
    throw new RangeError(`linearBound is ${linearBound}: give a finite number above 0.`);
}
