import * as z from 'zod/mini';
import { withDefault } from '../config/schemaParts';

/**
 * The Agent Data Protocol's standardized schema, version 1.2.0, as strict as the original: other fields are refused.
 *
 * Source: neulab/agent-data-protocol at 09e778b (`SCHEMA_VERSION = "1.2.0"`): schema/SCHEMA.md, version.py, action/action.py (read at
 * that commit); trajectory.py, action/{api,code,message}.py, observation/{text,image,web}.py (the nearest stored versions). Versions
 * 1.3 to 1.5 take 1.2.0 documents. `source` had other words before 1.0.0 (user_msg, system, assistant): they are refused.
 */
export const adpVersion = '1.2.0';

/** `SUPPORTED_SCHEMA_VERSIONS` of 1.2.0; a missing version means the present one. */
const versions = ['1.2.0', '1.1.0', '1.0.0'] as const;

const text = z.string().check(z.maxLength(1024 * 1024));
const note = z.nullish(text);
const reward = z.nullish(z.number());

const action = { reasoning_content: note, reward, description: note };
const source = z.enum(['user', 'agent', 'environment']);

const apiAction = z.strictObject({
  class_: z.literal('api_action'),
  function: text,
  kwargs: z.record(z.string(), z.unknown()),
  ...action,
});

const codeAction = z.strictObject({
  class_: z.literal('code_action'),
  // The original lists some three hundred names; any name is taken here.
  language: z.string().check(z.minLength(1), z.maxLength(64)),
  content: text,
  ...action,
});

const messageAction = z.strictObject({
  class_: z.literal('message_action'),
  content: text,
  ...action,
});

const textObservation = z.strictObject({
  class_: z.literal('text_observation'),
  content: text,
  name: note,
  source,
  reward,
});

const imageObservation = z.strictObject({
  class_: z.literal('image_observation'),
  content: text,
  annotations: z.nullish(z.array(z.unknown()).check(z.maxLength(4096))),
  source,
  reward,
});

const webObservation = z.strictObject({
  class_: z.literal('web_observation'),
  html: note,
  axtree: note,
  url: note,
  image_observation: z.nullish(imageObservation),
  viewport_size: z.nullish(z.tuple([z.int(), z.int()])),
  reward,
});

const entry = z.discriminatedUnion(
  'class_',
  [apiAction, codeAction, messageAction, textObservation, imageObservation, webObservation],
  { error: 'one of the actions and observations of ADP 1.2.0' },
);

export const adpTrajectorySchema = z.strictObject({
  schema_version: withDefault(z.enum(versions), adpVersion),
  id: z.string().check(z.maxLength(1024)),
  content: z.readonly(z.array(entry).check(z.maxLength(8192))),
  available_apis: z.nullish(z.array(z.string()).check(z.maxLength(4096))),
  details: withDefault(z.record(z.string(), z.unknown()), {}),
});

/** One trajectory of one agent. */
export type AdpTrajectory = z.output<typeof adpTrajectorySchema>;
