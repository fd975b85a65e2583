import * as z from 'zod/mini';
import { blameFits, blameSchema } from './blameSchema';
import { exactNumberSchema } from './exactNumber';
import { seedSchema } from './experimentSpec';
import { countSchema, nameSchema } from './schemaParts';

/**
 * One episode as the trainer tells it to the page, in a file of any kind. The type is `Transcript` of protocol/trainerApi, which says
 * what the fields mean; a test compares.
 */

const token = z.string().check(z.maxLength(64));
const tokens = z.readonly(z.array(token).check(z.maxLength(1024)));

export const transcriptTurnSchema = z.strictObject({
  agent: nameSchema,
  turnIndex: countSchema,
  invocation: z.nullable(countSchema),
  promptTokens: tokens,
  actionTokens: tokens,
  rolloutLogprobs: z.readonly(z.array(exactNumberSchema).check(z.maxLength(1024))),
  isValid: z.boolean(),
  penalty: exactNumberSchema,
  reward: exactNumberSchema,
  advantage: exactNumberSchema,
  isLearned: z.boolean(),
});

export const maxTranscriptTurns = 1024;

/** Without the check that blame and turns fit together: what is made of it makes that itself. */
export const transcriptFields = z.strictObject({
  arm: nameSchema,
  seed: seedSchema,
  iteration: countSchema,
  task: countSchema,
  taskStart: z.string().check(z.maxLength(4096)),
  rollout: countSchema,
  turns: z.readonly(z.array(transcriptTurnSchema).check(z.maxLength(maxTranscriptTurns))),
  teamReward: exactNumberSchema,
  isSolved: z.boolean(),
  /** Agents whose norm spiked and that the episode was told for. */
  spikingAgents: z.readonly(z.array(nameSchema).check(z.maxLength(32))),
  blame: blameSchema,
});

export const transcriptSchema = transcriptFields.check(blameFits);

export type FileTranscript = z.output<typeof transcriptSchema>;
export type FileTurn = FileTranscript['turns'][number];
