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

/**
 * N − 1, the most that global normalization can inflate an agent's second moment when the team shares one outcome reward. Where
 * invocations are samples of their own, a task has more samples than rollouts and the bound is another in every task: none is drawn.
 */
function inflationBounds({ groups, environment }: ExperimentSpec): readonly Bound[] {
  if (environment.kind === 'planExecute') return none;
  const bound = groups.groupSize - 1;
  return [{ value: bound, label: `N − 1 = ${bound}` }];
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
