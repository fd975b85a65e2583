import { samuelsonBound } from '../../config/effectGiven';
import type { ExperimentSpec } from '../../config/experimentSpec';
import { metricCatalog, type MetricKey } from '../../metrics/catalog';
import type { Bound } from '../charts/MetricPlot';

/** What a chart of some metrics has beside its lines. */
export interface ChartExtras {
  readonly bounds: readonly Bound[];
  /** Values the y axis always holds. */
  readonly axisValues: readonly number[];
  readonly hasSpikeMarks: boolean;
}

const share = [0, 1];
const zero = [0];
const none: readonly never[] = [];

/** Metrics whose axis begins at 0, so that small differences are not drawn large. */
const fromZero: ReadonlySet<MetricKey> = new Set([
  'entropy',
  'clipFraction',
  'clipFractionLow',
  'clipFractionHigh',
]);
const shares: ReadonlySet<MetricKey> = new Set(['success', 'evalSuccess']);

function inflationBounds(spec: ExperimentSpec): readonly Bound[] {
  const bound = samuelsonBound(spec);
  return bound === null ? none : [{ value: bound, label: `N − 1 = ${bound}` }];
}

export function chartExtras(metrics: readonly MetricKey[], spec: ExperimentSpec): ChartExtras {
  const [first] = metrics;
  const isOf = (kinds: ReadonlySet<MetricKey>): boolean =>
    metrics.every((metric) => kinds.has(metric));
  const hasSecondMoment = metrics.some((metric) => metric.startsWith('advSecondMoment'));
  return {
    bounds: hasSecondMoment ? inflationBounds(spec) : none,
    axisValues: isOf(shares) ? share : isOf(fromZero) ? zero : none,
    hasSpikeMarks:
      first !== undefined && first === 'gradNorm' && metricCatalog[first].level === 'agent',
  };
}
