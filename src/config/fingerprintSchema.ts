import * as z from 'zod/mini';
import { nameSchema } from './schemaParts';
import { countSchema } from './schemaParts';

/** A line or two that people read: a message, a version, the name of a device. */
export const wordsSchema = z.string().check(z.maxLength(1000));

const policy = z.strictObject({
  policyId: nameSchema,
  backend: z.enum(['webgpu', 'wasm', 'cpu']),
  device: wordsSchema,
  numParameters: countSchema,
});

/** When, with what and on what a run was made. */
export const fingerprintSchema = z.strictObject({
  /** When it ended. ISO 8601, UTC. */
  date: z.iso.datetime({ error: 'a date and time in UTC, such as 2026-03-01T12:00:00Z' }),
  versions: z.strictObject({ marlbook: wordsSchema, browser: wordsSchema }),
  device: z.strictObject({
    userAgent: wordsSchema,
    policies: z.readonly(z.array(policy).check(z.maxLength(64))),
  }),
});

export type Fingerprint = z.output<typeof fingerprintSchema>;
