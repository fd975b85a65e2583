import { shown } from '../config/issueMessages';
import type { MetricKey } from '../metrics/catalog';
import { teamId } from '../metrics/runSeries';
import { isMetricKey, levelMismatch, unknownMetric } from './names';
import { nearestName } from './nearestName';
import {
  armStatistics,
  isArmStatistic,
  isMetricStatistic,
  metricStatistics,
  type ArmStatistic,
  type MetricStatistic,
} from './statistics';

/** What stands between the braces of a live value: one number of the runs of one experiment cell. */
export type LiveReference =
  | {
      readonly kind: 'arm';
      readonly experiment: string;
      readonly arm: string;
      readonly statistic: ArmStatistic;
    }
  | {
      readonly kind: 'metric';
      readonly experiment: string;
      readonly arm: string;
      /** Agent id, or `team`. */
      readonly agent: string;
      readonly metric: MetricKey;
      readonly statistic: MetricStatistic;
    };

export type ParsedReference =
  | { readonly ok: true; readonly reference: LiveReference }
  | { readonly ok: false; readonly message: string };

/**
 * The text between two pairs of braces. Two forms, names of letters and digits, blanks around the whole allowed:
 * `experiment.arm.statistic` and `experiment.arm.agent.metric.statistic`. Whether experiment, arm and agent exist is not known here.
 */
export function parseReference(text: string): ParsedReference {
  const names = text.trim().split('.');
  const odd = names.find((name) => !/^[A-Za-z0-9]+$/.test(name));
  if (odd !== undefined)
    return refusal(`${shown(odd)} is no name: expected letters and digits between dots`);
  const [experiment = '', arm = '', third = '', metric = '', statistic = ''] = names;
  if (names.length === 3) return parseArmReference(experiment, arm, third);
  if (names.length === 5)
    return parseMetricReference({ experiment, arm, agent: third }, metric, statistic);
  return refusal(
    `${names.length === 1 ? 'One name' : `${names.length} names`} came: expected experiment.arm.statistic or experiment.arm.agent.metric.statistic`,
  );
}

function refusal(message: string): ParsedReference {
  return { ok: false, message };
}

function parseArmReference(experiment: string, arm: string, statistic: string): ParsedReference {
  return isArmStatistic(statistic)
    ? { ok: true, reference: { kind: 'arm', experiment, arm, statistic } }
    : refusal(unknownStatistic(statistic, armStatistics));
}

function parseMetricReference(
  place: { readonly experiment: string; readonly arm: string; readonly agent: string },
  metric: string,
  statistic: string,
): ParsedReference {
  if (!isMetricKey(metric)) return refusal(`${shown(metric)} is ${unknownMetric(metric)}`);
  const mismatch = levelMismatch(metric, place.agent);
  if (mismatch !== null) return refusal(mismatch);
  return isMetricStatistic(statistic)
    ? { ok: true, reference: { kind: 'metric', ...place, metric, statistic } }
    : refusal(unknownStatistic(statistic, metricStatistics));
}

function unknownStatistic(name: string, known: readonly string[]): string {
  return `${shown(name)} is none of the statistics ${known.join(', ')}; the nearest is ${nearestName(name, known)}`;
}

/** The agent that a reference reads, `team` included; null for a number about a whole arm. */
export function agentOf(reference: LiveReference): string | null {
  return reference.kind === 'metric' && reference.agent !== teamId ? reference.agent : null;
}
