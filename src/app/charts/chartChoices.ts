import { metricCatalog, type MetricKey } from '../../metrics/catalog';
import { maxLines } from './chartModel';
import type { ChartSettings } from './chartView';
import { allMetrics } from './metricTexts';

/** What a reader’s choice makes of the lists of a chart. Neither list is ever empty. */

/** With or without `metric`. Metrics of another level cannot stand in the same panels: the new one takes the place of all. */
export function toggleMetric(metrics: readonly MetricKey[], metric: MetricKey): MetricKey[] {
  if (metrics.includes(metric))
    return metrics.length > 1 ? metrics.filter((other) => other !== metric) : [...metrics];
  const { level } = metricCatalog[metric];
  const isOne = metrics.every((other) => metricCatalog[other].level === level);
  return isOne ? [...metrics, metric].slice(-maxLines) : [metric];
}

/** The agents that have a panel, in the experiment’s order. Those that it no longer has are left out; where none is left, all have one. */
export function shownAgents(
  agents: ChartSettings['agents'],
  all: readonly string[],
): readonly string[] {
  const shown = agents === 'all' ? [] : all.filter((agent) => agents.includes(agent));
  return shown.length === 0 ? all : shown;
}

/** With or without `agent`; all of them are `all`, which follows the experiment when its world changes. */
export function toggleAgent(
  agents: ChartSettings['agents'],
  all: readonly string[],
  agent: string,
): ChartSettings['agents'] {
  const shown = shownAgents(agents, all);
  const next = all.filter((other) => (other === agent) !== shown.includes(other));
  if (next.length === 0) return agents;
  return next.length === all.length ? 'all' : next;
}

/** The metrics whose label, name or meaning holds every word of `text`. */
export function foundMetrics(text: string): readonly MetricKey[] {
  const words = text.toLowerCase().split(/\s+/);
  return allMetrics.filter((metric) => {
    const { label, meaning } = metricCatalog[metric];
    const said = `${label} ${metric} ${meaning}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

/** Sizes with a name. Unit: CSS px. */
export const namedHeights = { small: 140, medium: 200, large: 360 } as const;
/** What a document may ask for. Unit: CSS px. */
export const heightLimits = { min: 120, max: 1200 } as const;
