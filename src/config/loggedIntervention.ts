import * as z from 'zod/mini';
import { interventionSchema, maxInterventions } from './interventionSchema';
import { overrideValueSchema } from './schemaParts';

/** Most that one run can have. */
export const maxLogged = maxInterventions;

/** An intervention that took place. */
export const loggedInterventionSchema = z.strictObject({
  ...interventionSchema.shape,
  /** The different values before it, in the order of arms and policies. */
  was: z.readonly(z.array(overrideValueSchema).check(z.maxLength(256))),
  /** Who asked for it: somebody at the page while the run went on, or the specification that the run was started with. */
  by: z.enum(['user', 'spec']),
});

export type LoggedIntervention = Readonly<z.infer<typeof loggedInterventionSchema>>;
