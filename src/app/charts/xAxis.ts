import { metricCatalog } from '../../metrics/catalog';
import { formatCount, formatNumber } from '../../metrics/format';
import { teamId } from '../../metrics/runSeries';
import type { ChartSettings } from './chartView';
import { allMetrics } from './metricTexts';

/** What a chart runs over, and what that is called. */

export type ChartX = ChartSettings['x'];

/** The axes that need no metric: their places never fall as the run goes on. */
const plainXKinds = ['iteration', 'environmentSteps', 'tokens', 'wallTime'] as const;

const plainXNames: Readonly<Record<(typeof plainXKinds)[number], string>> = {
  iteration: 'iteration',
  environmentSteps: 'env steps',
  tokens: 'tokens',
  wallTime: 'seconds',
};

/** Short enough to stand at the end of an axis, but for metrics. */
export function xName(x: ChartX): string {
  return x.kind === 'metric' ? metricCatalog[x.metric].label : plainXNames[x.kind];
}

const metricPrefix = 'metric ';

/** A place on the axis, as a reader needs it. */
export function xPlaceText(x: ChartX, place: number): string {
  if (x.kind === 'iteration') return String(place);
  return x.kind === 'tokens' || x.kind === 'environmentSteps'
    ? formatCount(place)
    : formatNumber(place);
}

/** One text for each axis: value of an option, end of the id under which charts share their cursor. */
export function xKey(x: ChartX): string {
  return x.kind === 'metric' ? metricPrefix + x.metric : x.kind;
}

/** The axes on offer for charts of these levels: a team has no value of a metric that each agent has. */
export function xChoices(isOfTeam: boolean): readonly ChartX[] {
  const metrics = allMetrics.filter(
    (metric) => !isOfTeam || metricCatalog[metric].level === 'team',
  );
  return [
    ...plainXKinds.map((kind) => ({ kind })),
    ...metrics.map((metric) => ({ kind: 'metric' as const, metric })),
  ];
}

/** In full, as an option reads. */
export function xOptionText(x: ChartX): string {
  switch (x.kind) {
    case 'iteration':
      return 'iteration';
    case 'environmentSteps':
      return 'environment steps';
    case 'tokens':
      return 'tokens';
    case 'wallTime':
      return 'wall time';
    case 'metric':
      return `metric: ${metricCatalog[x.metric].label}`;
  }
}

/** Why a panel of `agent` has no places on the axis; null where it can have some. */
export function xMismatch(x: ChartX, agent: string): string | null {
  if (x.kind !== 'metric' || agent !== teamId || metricCatalog[x.metric].level === 'team')
    return null;
  return `${metricCatalog[x.metric].label} is measured for each agent, this chart shows the team: choose another x axis`;
}
