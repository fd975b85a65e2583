import type { ChartCell } from '../../notebook/cells';

/** How a chart shows what was logged. Nothing here changes a number that is exported. */

/** What a chart cell says of itself, beside its name and its experiment; kept in the document. */
export type ChartSettings = Readonly<Omit<ChartCell, 'id' | 'kind' | 'experiment'>>;

export type ChartScale = ChartSettings['yScale'];
/** What surrounds a line: an interval over the seeds, or every seed as a thin line of its own. */
export type ChartBand = ChartSettings['band'];

/** The settings that decide what is drawn, as they can be followed, with what a reader does in passing. */
export interface ChartView extends Pick<
  ChartSettings,
  'x' | 'yScale' | 'smoothing' | 'band' | 'hasOutlierClip' | 'pairedBaseline'
> {
  /** Visible part of the x axis, its end may be Infinity; null = all of it. Unit: that of the x axis. */
  readonly zoom: readonly [number, number] | null;
}

/** Settings as they can be followed: an arm that is no longer there cannot be compared with. Differences are on both sides of 0. */
export function viewOf(
  { x, yScale, smoothing, band, hasOutlierClip, pairedBaseline }: ChartSettings,
  arms: readonly string[],
  zoom: ChartView['zoom'],
): ChartView {
  const rest = { x, smoothing, band, hasOutlierClip, zoom };
  if (pairedBaseline === null || !arms.includes(pairedBaseline))
    return { ...rest, yScale, pairedBaseline: null };
  return { ...rest, yScale: yScale === 'log' ? 'linear' : yScale, pairedBaseline };
}

export const bandNames: Readonly<Record<ChartBand, string>> = {
  minMax: 'min – max',
  std: '± std',
  stderr: '± stderr',
  bootstrap: 'bootstrap 95 %',
  seeds: 'every seed',
};

/** What the line of an arm runs through. */
export function centerName(band: ChartBand): 'median' | 'mean' {
  return band === 'minMax' || band === 'seeds' ? 'median' : 'mean';
}

/** What the tooltip and the table print around it. */
export function intervalName(band: ChartBand): string {
  return bandNames[band === 'seeds' ? 'minMax' : band];
}

const linesSentences: Readonly<Record<ChartBand, string>> = {
  minMax: 'Lines are medians over seeds, bands run from the lowest to the highest seed.',
  std: 'Lines are means over seeds, bands are one standard deviation (n − 1) to either side.',
  stderr: 'Lines are means over seeds, bands are one standard error to either side.',
  bootstrap: 'Lines are means over seeds, bands are their 95 % intervals by resampling seeds.',
  seeds: 'Thick lines are medians over seeds, thin ones are single seeds.',
};

/** What lines and bands are. */
export function linesSentence(band: ChartBand): string {
  return linesSentences[band];
}

export const scales = ['linear', 'log', 'symlog'] as const satisfies readonly ChartScale[];

export const bands = [
  'minMax',
  'std',
  'stderr',
  'bootstrap',
  'seeds',
] as const satisfies readonly ChartBand[];
