import { z } from 'zod';
import { experimentSpecSchema } from '../config/experimentSpec';

/**
 * One episode as the trainer tells it to the page, at the edge of a file. The type is `Transcript` of protocol/trainerApi, which says
 * what the fields mean; a test compares.
 */

const notInJson = ['NaN', 'Infinity', '-Infinity', '-0'] as const;

/** JSON has no word for some float64 values: they are written as text. */
const exactNumber = z.union([z.number(), z.enum(notInJson).transform(Number)], {
  error: 'a number, or NaN, Infinity, -Infinity or -0 as text',
});

/** Arms and agents are named alike, as in the specification. */
const id = experimentSpecSchema.shape.arms.element.shape.name;
const tokens = z.array(z.string().max(64)).max(1024).readonly();
const count = z.int().min(0);

const turn = z.strictObject({
  agent: id,
  turnIndex: count,
  invocation: count.nullable(),
  promptTokens: tokens,
  actionTokens: tokens,
  rolloutLogprobs: z.array(exactNumber).max(1024).readonly(),
  isValid: z.boolean(),
  penalty: exactNumber,
  reward: exactNumber,
  advantage: exactNumber,
  isLearned: z.boolean(),
});

export const transcriptSchema = z
  .strictObject({
    arm: id,
    seed: z.int().min(0).max(0xffffffff),
    iteration: count,
    task: count,
    taskStart: z.string().max(4096),
    rollout: count,
    turns: z.array(turn).max(1024).readonly(),
    teamReward: exactNumber,
    isSolved: z.boolean(),
    spikingAgents: z.array(id).max(32).readonly(),
  })
  .readonly();

export type FileTranscript = z.output<typeof transcriptSchema>;
export type FileTurn = FileTranscript['turns'][number];
