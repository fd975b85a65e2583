export type AxisScale = 'linear' | 'log';

/** A closed interval of the values an axis shows, low < high, and where its labels stand, increasing. */
export interface Axis {
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
}

/** Bounds further out than this are pulled in, so that the arithmetic of an axis neither overflows nor underflows. */
const largestBound = 1e300;

/** Largest 1, 2 or 5 × 10ⁿ that is ≤ value (direction −1), or smallest that is ≥ value (direction 1). value > 0. */
function roundStep(value: number, direction: -1 | 1): number {
  const exponent = Math.floor(Math.log10(value));
  // log10 may land one off at a power of ten, so the neighbours are candidates too.
  const candidates = [exponent - 1, exponent, exponent + 1].flatMap((power) =>
    [1, 2, 5].map((digit) => Number(`${digit}e${power}`)),
  );
  return direction < 0
    ? candidates.findLast((candidate) => candidate <= value)!
    : candidates.find((candidate) => candidate >= value)!;
}

/** Ticks of [low, high] inside a log axis: decades, thinned to at most `maxTicks`; 1-2-5 when there are under two decades. */
function logTicks(low: number, high: number, maxTicks: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const digits = last - first < 2 ? [1, 2, 5] : [1];
  const stride = Math.max(1, Math.ceil((last - first + 1) / maxTicks));
  const ticks: number[] = [];
  for (let power = first - 1; power <= last; power++) {
    // Thinned from 10⁰, so ticks stay where they are when the domain grows.
    if (digits.length === 1 && ((power % stride) + stride) % stride !== 0) continue;
    for (const digit of digits) {
      const tick = Number(`${digit}e${power}`);
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  }
  return ticks;
}

/** Logarithmic axis over positive bounds, widened outward to 1, 2 or 5 × 10ⁿ. */
function logAxis(low: number, high: number, maxTicks: number): Axis {
  const bottom = roundStep(Math.max(low, 1 / largestBound), -1);
  const reached = roundStep(Math.max(high, 1 / largestBound), 1);
  const top = reached > bottom ? reached : roundStep(bottom * 1.5, 1);
  return { domain: [bottom, top], ticks: logTicks(bottom, top, maxTicks) };
}

/** Multiples of 1, 2 or 5 × 10ⁿ over [low, high], widened outward to the step; about `maxTicks` − 1 intervals. */
function linearAxis(low: number, high: number, maxTicks: number): Axis {
  const size = Math.max(Math.abs(low), Math.abs(high));
  // Equal up to rounding: show the value in the middle of an axis of its own size, a plain 0 at the foot of 0 … 1.
  const isFlat = high - low <= 1e-12 * size;
  const [from, to] = !isFlat ? [low, high] : size === 0 ? [0, 1] : [low - size / 2, low + size / 2];
  const step = roundStep((to - from) / (maxTicks - 1), 1);
  const [first, last] = [Math.floor(from / step + 1e-9), Math.ceil(to / step - 1e-9)];
  // 15 digits: more than a label shows, fewer than rounding noise needs (0.1 + 0.2).
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(15)),
  );
  return { domain: [ticks[0]!, ticks.at(-1)!], ticks };
}

/**
 * Axis that shows `values`. Not finite values are left out, on a log axis also those ≤ 0; with nothing left the axis is
 * 0 … 1, or 0.1 … 10 in log. Values beyond ±10³⁰⁰ stand off the axis. `maxTicks` ≥ 2 bounds the labels: strictly in log above two decades, roughly elsewhere.
 */
export function axisOver(values: Iterable<number>, scale: AxisScale, maxTicks: number): Axis {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!isDrawable(value, scale)) continue;
    const isTiny = scale === 'linear' && Math.abs(value) < 1 / largestBound;
    const bounded = isTiny ? 0 : Math.max(-largestBound, Math.min(largestBound, value));
    low = Math.min(low, bounded);
    high = Math.max(high, bounded);
  }
  if (scale === 'log')
    return low <= high ? logAxis(low, high, maxTicks) : logAxis(0.1, 10, maxTicks);
  return low <= high ? linearAxis(low, high, maxTicks) : linearAxis(0, 1, maxTicks);
}

/** Whether a point can stand on the axis: finite, and above 0 on a log axis. Others are gaps, counted and never moved. */
export function isDrawable(value: number, scale: AxisScale): boolean {
  return Number.isFinite(value) && (scale === 'linear' || value > 0);
}
