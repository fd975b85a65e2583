import { metricCatalog } from '../metrics/catalog';
import { teamId } from '../metrics/runSeries';
import type { ClaimQuantity } from './claimCell';
import type { LiveReference } from './liveReference';
import type { ArmStatistic, MetricStatistic } from './statistics';

/** What one number about a metric of an arm says, after the name of the metric. */
export const metricStatisticMeanings: Readonly<Record<MetricStatistic, string>> = {
  last: 'last finite value, median over seeds',
  best: 'highest value, median over seeds',
  peak: 'largest value, median over seeds',
  spikes: 'spikes, all seeds together',
  iqm: 'interquartile mean over seeds of the last finite values',
};

export const armStatisticMeanings: Readonly<Record<ArmStatistic, string>> = {
  seeds: 'seeds that have logged something',
  iterations: 'iterations done by the slowest seed',
  collapsed: 'seeds in which an agent has collapsed',
  spikes: 'spikes of the gradient norm, all agents and all seeds',
};

/** A reference in words: what a reader of a text is told about the number it became. */
export function referenceText(reference: LiveReference): string {
  const { experiment, arm } = reference;
  if (reference.kind === 'arm')
    return `${armStatisticMeanings[reference.statistic]}, of arm ${arm} in experiment ${experiment}`;
  const { metric, agent, statistic } = reference;
  return `${metricName({ metric, agent })}: ${metricStatisticMeanings[statistic]}, of arm ${arm} in experiment ${experiment}`;
}

/** `success of agentWise, last`; `gradient norm of search in agentWise, peak` */
export function quantityText({ arm, agent, metric, statistic }: ClaimQuantity): string {
  const name = metricCatalog[metric].label;
  const words = /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
  const owner = agent === teamId ? arm : `${agent} in ${arm}`;
  return `${words} of ${owner}, ${statistic}`;
}

function metricName({ metric, agent }: Pick<ClaimQuantity, 'metric' | 'agent'>): string {
  const { label } = metricCatalog[metric];
  return agent === teamId ? label : `${label} of ${agent}`;
}
