import { createContext, useContext } from 'react';
import type { ChartView } from './chartView';
import type { Marker } from './markers';
import type { PanelAxis } from './panelAxis';
import type { Pins } from './pins';
import type { PlotLine } from './PlotLines';
import type { EndLabel } from './PlotOverlay';
import type { Drag } from './plotZoom';

/** A horizontal line that the values are read against. */
export interface Bound {
  readonly value: number;
  readonly label: string;
}

/** As many places of an x axis are named at most. */
export const maxXTicks = 6;

/** What is drawn on a plot; it reaches the layers of the plot without passing through recharts. */
export interface PlotContent {
  /** The lines that the legend lets through, faded ones first. */
  readonly lines: readonly PlotLine[];
  readonly axis: PanelAxis;
  readonly color: string;
  readonly view: ChartView;
  /** Visible part of the x axis. */
  readonly domain: readonly [number, number];
  /** Agent id, or `team`. */
  readonly agent: string;
  /** All marks of the lines that stand forward. */
  readonly markers: readonly Marker[];
  /** Those of them that have room. */
  readonly thinned: readonly Marker[];
  readonly labels: readonly EndLabel[];
  readonly pins: Pins;
  readonly drag: Drag | null;
  /** Lies over the drawing and takes the buttons of marks; null before it is there. */
  readonly host: Element | null;
  readonly onOpenMarker: (marker: Marker) => void;
}

export const PlotContentContext = createContext<PlotContent | null>(null);

export function usePlotContent(): PlotContent {
  const content = useContext(PlotContentContext);
  if (content === null) throw new Error('A layer of a plot stands outside of a MetricPlot.');
  return content;
}
