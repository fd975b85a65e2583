import type { MetricKey } from './catalog';

/** Where a healthy value lies, where that is a number. Unit: the metric's. */
export type HealthyRange =
  | { readonly kind: 'below'; readonly limit: number }
  | { readonly kind: 'above'; readonly limit: number }
  | { readonly kind: 'equal'; readonly value: number };

/**
 * What the words of the catalog say in numbers. Absent where they name none, or tie it to a condition. A test compares the two.
 */
export const healthyRanges: Readonly<Partial<Record<MetricKey, HealthyRange>>> = {
  updateSkipped: { kind: 'equal', value: 0 },
  approxKl: { kind: 'below', limit: 0.05 },
  clipFraction: { kind: 'below', limit: 0.2 },
  clipFractionLow: { kind: 'below', limit: 0.2 },
  clipFractionHigh: { kind: 'below', limit: 0.2 },
  effectiveSampleSize: { kind: 'equal', value: 1 },
  advAbsP99: { kind: 'below', limit: 3 },
  rewardStd: { kind: 'above', limit: 0 },
  zeroStdGroupFraction: { kind: 'below', limit: 0.8 },
  singletonFraction: { kind: 'equal', value: 0 },
  numTurns: { kind: 'above', limit: 0 },
  collapsed: { kind: 'equal', value: 0 },
  nonFiniteRewards: { kind: 'equal', value: 0 },
  valueUpdateSkipped: { kind: 'equal', value: 0 },
};

/** Whether a value as printed, to three digits, lies in a range. NaN lies in none. */
export function isInRange(value: number, range: HealthyRange): boolean {
  const shown = Number.isFinite(value) ? Number(value.toPrecision(3)) : value;
  switch (range.kind) {
    case 'below':
      return shown < range.limit;
    case 'above':
      return shown > range.limit;
    case 'equal':
      return shown === range.value;
  }
}
