import * as z from 'zod/mini';
import { nameSchema, number, overrideValueSchema, pathSchema } from './schemaParts';

/** More would be a schedule. Also what keeps an experiment short enough for a link. */
export const maxInterventions = 128;

/** What of a setting is changed, and for whom. Plain data: what it does stands in `steering`. */
export const commandSchema = z.strictObject({
  /** Null = all arms. */
  arm: z.nullable(nameSchema),
  /** Of a setting that may change while a run goes on, e.g. `loss.clipHigh`; `policies.*.…` stands for every policy. */
  path: pathSchema,
  value: overrideValueSchema,
});

/** A command and when it takes effect: before the rollouts of this iteration, from 1. */
export const interventionSchema = z.strictObject({
  iteration: number('iterations'),
  ...commandSchema.shape,
});

export type SteeringCommand = z.infer<typeof commandSchema>;
export type Intervention = z.infer<typeof interventionSchema>;

export function isIntervention(value: unknown): value is Intervention {
  return interventionSchema.safeParse(value).success;
}
