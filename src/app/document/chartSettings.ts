import type { ChartCell } from '../../notebook/cells';
import type { Notebook } from '../../notebook/notebook';
import type { ChartSettings, SharedSettings, XAxisKind } from '../charts/chartView';

/** Between what a chart cell holds and what the drawing takes. */

type CellAxis = ChartCell['x']['kind'];

const axisOfCell: Readonly<Partial<Record<CellAxis, XAxisKind>>> = {
  iteration: 'iteration',
  environmentSteps: 'turns',
  tokens: 'tokens',
};

const axisOfView: Readonly<Record<XAxisKind, 'iteration' | 'environmentSteps' | 'tokens'>> = {
  iteration: 'iteration',
  turns: 'environmentSteps',
  tokens: 'tokens',
};

/** Whether the page can draw over what a cell asks for; it draws over iterations otherwise, and says so. */
export function canDrawOver({ x }: ChartCell): boolean {
  return axisOfCell[x.kind] !== undefined;
}

export function settingsOf(cell: ChartCell): ChartSettings {
  return {
    scale: cell.yScale,
    smoothing: cell.smoothing,
    seedsShown: cell.band,
    isClipped: cell.hasOutlierClip,
    baseline: cell.pairedBaseline,
    xAxis: axisOfCell[cell.x.kind] ?? 'iteration',
  };
}

export function withSettings(cell: ChartCell, change: Partial<ChartSettings>): ChartCell {
  const { scale, smoothing, seedsShown, isClipped, baseline, xAxis } = {
    ...settingsOf(cell),
    ...change,
  };
  return {
    ...cell,
    yScale: scale,
    smoothing,
    band: seedsShown,
    hasOutlierClip: isClipped,
    pairedBaseline: baseline,
    x: change.xAxis === undefined ? cell.x : { kind: axisOfView[xAxis] },
  };
}

function isChart(cell: Notebook['cells'][number]): cell is ChartCell {
  return cell.kind === 'chart';
}

/** The chart cells that show an experiment, in the order of the document. */
export function chartsOf({ cells }: Notebook, experiment: string): readonly ChartCell[] {
  return cells.filter(isChart).filter((cell) => cell.experiment === experiment);
}

/** What all of these charts have in common; null where they differ, or where there are none. */
export function commonSettings(charts: readonly ChartCell[]): {
  readonly [K in keyof SharedSettings]: SharedSettings[K] | null;
} {
  const all = charts.map(settingsOf);
  const common = <T>(of: (settings: ChartSettings) => T): T | null => {
    const values = new Set(all.map(of));
    const [only] = values;
    return values.size === 1 && only !== undefined ? only : null;
  };
  return {
    smoothing: common(({ smoothing }) => smoothing),
    seedsShown: common(({ seedsShown }) => seedsShown),
    xAxis: common(({ xAxis }) => xAxis),
  };
}
