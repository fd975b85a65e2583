import { metricCatalog, type MetricKey } from '../../metrics/catalog';
import { isMetricKey } from '../../notebook/names';

/** What is said of the metrics of a chart, and what its y axis holds for their sake. */

/** In the order of the catalog. */
export const allMetrics: readonly MetricKey[] = Object.keys(metricCatalog).filter(isMetricKey);

/** Of one metric its label; of several what their labels begin with, or all of them. */
export function metricsTitle(metrics: readonly MetricKey[]): string {
  const labels = metrics.map((metric) => metricCatalog[metric].label);
  const stems = new Set(labels.map((label) => label.split(', ')[0]));
  const [stem] = stems;
  return stems.size === 1 && labels.length > 1 ? (stem ?? '') : labels.join(' and ');
}

/** The part of a metric's label that tells it from its neighbours in one chart: after the comma, if there is one. */
export function shortMetricLabel(metric: MetricKey): string {
  return metricCatalog[metric].label.split(', ').at(-1)!;
}

/** Meaning, formula, unit and healthy range of each. */
export function metricsHelp(metrics: readonly MetricKey[]): string {
  return metrics
    .map((metric) => {
      const { label, meaning, formula, unit, healthy } = metricCatalog[metric];
      return `${label}${unit && ` (${unit})`}: ${meaning} ${formula}. Healthy: ${healthy}.`;
    })
    .join('\n');
}

/** A chart of the team has one panel; metrics of agents have one for each. */
export function areOfTeam(metrics: readonly MetricKey[]): boolean {
  return metrics.every((metric) => metricCatalog[metric].level === 'team');
}

/** Both ends of a share; the floor of what is read by its distance from nothing. */
const heldValues: Partial<Record<MetricKey, readonly number[]>> = {
  success: [0, 1],
  evalSuccess: [0, 1],
  keptTaskFraction: [0, 1],
  validActionRate: [0, 1],
  passRate: [0, 1],
  unreadableRate: [0, 1],
  wrongCallRate: [0, 1],
  wrongContentRate: [0, 1],
  zeroStdGroupFraction: [0, 1],
  singletonFraction: [0, 1],
  collapsed: [0, 1],
  entropy: [0],
  clipFraction: [0],
  clipFractionLow: [0],
  clipFractionHigh: [0],
};

/** Values the y axis always holds. A log axis leaves out the zeros. */
export function axisValuesOf(metrics: readonly MetricKey[]): readonly number[] {
  return metrics.flatMap((metric) => heldValues[metric] ?? []);
}
