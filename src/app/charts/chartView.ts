import type { AxisScale } from '../../metrics/axis';
import type { BandKind } from '../../metrics/bands';

/** How a chart shows what was logged. Nothing here changes a number that is exported. */

export type ChartScale = AxisScale | 'symlog';
export type XAxisKind = 'iteration' | 'tokens' | 'turns';
/** What surrounds a line: an interval over the seeds, or every seed as a thin line of its own. */
export type SeedsShown = BandKind | 'seeds';

export interface ChartView {
  readonly scale: ChartScale;
  /** Weight of the past in the moving average, 0 (raw) … 0.999. */
  readonly smoothing: number;
  readonly seedsShown: SeedsShown;
  /** The y axis holds the middle 90 % of the values; what is beyond is counted. */
  readonly isClipped: boolean;
  /** Arm whose value of the same seed and iteration is taken off; null = none. */
  readonly baseline: string | null;
  readonly xAxis: XAxisKind;
  /** Visible part of the x axis, its end may be Infinity; null = all of it. Unit: that of the x axis. */
  readonly zoom: readonly [number, number] | null;
}

/** What a chart is set to; the part of the axis in view is looked at in passing. */
export type ChartSettings = Omit<ChartView, 'zoom'>;

/** What can be set for several charts at once. */
export type SharedSettings = Pick<ChartView, 'smoothing' | 'seedsShown' | 'xAxis'>;

export const xAxisNames: Readonly<Record<XAxisKind, string>> = {
  iteration: 'iteration',
  tokens: 'tokens',
  turns: 'turns',
};

export const seedsShownNames: Readonly<Record<SeedsShown, string>> = {
  minMax: 'min – max',
  std: '± std',
  stderr: '± stderr',
  bootstrap: 'bootstrap 95 %',
  seeds: 'every seed',
};

/** What the line of an arm runs through. */
export function centerName(seedsShown: SeedsShown): string {
  return seedsShown === 'minMax' || seedsShown === 'seeds' ? 'median' : 'mean';
}

/** What the tooltip and the table print around it. */
export function intervalName(seedsShown: SeedsShown): string {
  return seedsShownNames[seedsShown === 'seeds' ? 'minMax' : seedsShown];
}

const linesSentences: Readonly<Record<SeedsShown, string>> = {
  minMax: 'Lines are medians over seeds, bands run from the lowest to the highest seed.',
  std: 'Lines are means over seeds, bands are one standard deviation (n − 1) to either side.',
  stderr: 'Lines are means over seeds, bands are one standard error to either side.',
  bootstrap: 'Lines are means over seeds, bands are their 95 % intervals by resampling seeds.',
  seeds: 'Thick lines are medians over seeds, thin ones are single seeds.',
};

/** What lines and bands are. */
export function linesSentence(seedsShown: SeedsShown): string {
  return linesSentences[seedsShown];
}

export const scales = ['linear', 'log', 'symlog'] as const satisfies readonly ChartScale[];

export const seedsShownOptions = [
  'minMax',
  'std',
  'stderr',
  'bootstrap',
  'seeds',
] as const satisfies readonly SeedsShown[];

export const xAxes = ['iteration', 'tokens', 'turns'] as const satisfies readonly XAxisKind[];
