import { z } from 'zod';
import { experimentSpecSchema } from '../config/experimentSpec';

const words = z.string().max(1000);

/** When and on what a run was made; as a recording in a notebook has it (a test compares). */
export const fingerprintSchema = z.strictObject({
  /** When the run ended. ISO 8601, UTC. */
  date: z.iso.datetime(),
  versions: z.strictObject({ marlbook: words, browser: words }),
  device: z.strictObject({
    userAgent: words,
    policies: z
      .array(
        z.strictObject({
          policyId: experimentSpecSchema.shape.arms.element.shape.name,
          backend: z.enum(['webgpu', 'wasm', 'cpu']),
          device: words,
          numParameters: z.int().min(0),
        }),
      )
      .max(64)
      .readonly(),
  }),
});

export type Fingerprint = z.output<typeof fingerprintSchema>;
