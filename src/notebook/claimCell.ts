import * as z from 'zod/mini';
import { armNameSchema, cellIdSchema, levelMismatch, metricSchema } from './names';
import { metricStatistics } from './statistics';

/** One number of the runs. Unit: the metric's, or a count for `spikes`. */
const quantity = z
  .strictObject({
    kind: z.literal('quantity'),
    arm: armNameSchema,
    agent: armNameSchema,
    metric: metricSchema,
    statistic: z.enum(metricStatistics),
  })
  .check(
    z.superRefine(({ metric, agent }, context) => {
      const message = levelMismatch(metric, agent);
      if (message !== null) context.addIssue({ code: 'custom', path: ['agent'], message });
    }),
  );

const constant = z.strictObject({ kind: z.literal('constant'), value: z.number() });

const comparison = z.strictObject({
  kind: z.literal('compare'),
  left: quantity,
  relation: z.enum(['less', 'atMost', 'atLeast', 'greater']),
  right: z.discriminatedUnion('kind', [quantity, constant], {
    error: 'one of quantity, constant',
  }),
  /** Seeds in which it must hold, each compared with itself; absent = once, over all seeds. */
  inAtLeast: z.exactOptional(z.int().check(z.minimum(1), z.maximum(64))),
});

/** What a claim can say. Every kind is strict data that a verdict is worked out from; none holds code. */
const statement = z.discriminatedUnion('kind', [comparison], { error: 'compare' });

export const claimCell = z.strictObject({
  id: cellIdSchema,
  kind: z.literal('claim'),
  experiment: cellIdSchema,
  statement,
});

export type ClaimStatement = z.infer<typeof statement>;
export type ClaimQuantity = z.infer<typeof quantity>;
