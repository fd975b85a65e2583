import * as z from 'zod/mini';
import { nameSchema } from '../config/schemaParts';
import { metricCatalog, type MetricKey } from '../metrics/catalog';
import { teamId } from '../metrics/runSeries';
import { nearestName } from './nearestName';

/**
 * Name of a cell inside its notebook. Letters and digits only, so that a dot ends it in `{{cell.arm.statistic}}`. Names that
 * every JavaScript object inherits are left out: whoever keys an object by cell then needs no second thought.
 */
export const cellIdSchema = z.string().check(
  z.maxLength(32),
  z.regex(/^[A-Za-z0-9]+$/, '1 to 32 letters and digits'),
  z.refine((id) => !(id in Object.prototype), 'a name JavaScript keeps for itself'),
);

/** Arms and agents are named alike: as in the experiment that has them, where an agent may also be `team`. */
export const armNameSchema = nameSchema;

const metricKeys = Object.keys(metricCatalog);

export function isMetricKey(name: unknown): name is MetricKey {
  return typeof name === 'string' && Object.hasOwn(metricCatalog, name);
}

/** `no metric; the nearest is success` */
export function unknownMetric(name: unknown): string {
  return typeof name === 'string'
    ? `no metric, the nearest is ${nearestName(name, metricKeys)}`
    : 'not the name of a metric';
}

export const metricSchema = z.custom<MetricKey>(isMetricKey, {
  error: ({ input }) => unknownMetric(input),
});

/** Why `metric` has no line of numbers under `agent`; null where it has one. */
export function levelMismatch(metric: MetricKey, agent: string): string | null {
  const isOfTeam = metricCatalog[metric].level === 'team';
  if (isOfTeam === (agent === teamId)) return null;
  return isOfTeam
    ? `${metric} is measured once for the team: write ${teamId} in place of ${agent}`
    : `${metric} is measured for each agent: write an agent in place of ${teamId}`;
}
