import { strFromU8, strToU8 } from 'fflate';
import { z } from 'zod';
import { plainCopy } from '../config/plainData';
import { armNameSchema } from './names';
import { pack, unpack } from './packedColumns';

/** Episodes that a recording brings along, so that its readers need not run anything. */
export const maxRecordedTranscripts = 256;

/** Unpacked, all together. A turn takes about 1 kB. */
const maxTranscriptBytes = 4 * 1024 * 1024;

const notInJson = ['NaN', 'Infinity', '-Infinity', '-0'] as const;

/** JSON has no word for some float64 values: they are written as text. */
const exactNumber = z.union([z.number(), z.enum(notInJson).transform(Number)], {
  error: 'a number, or NaN, Infinity, -Infinity or -0 as text',
});

const token = z.string().max(64);
const tokens = z.array(token).max(1024).readonly();
const count = z.int().min(0);

const turn = z.strictObject({
  agent: armNameSchema,
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

const share = z
  .number()
  .min(0)
  .max(1 + 1e-9);
const shares = z.array(share).max(1024).readonly();

const blame = z.strictObject({
  method: z.enum(['gradNorm', 'occlusion']),
  turns: z
    .array(
      z.strictObject({
        share,
        origins: z.array(z.int().min(-1).max(1023)).max(1024).readonly(),
        influence: shares,
        handedOn: shares,
      }),
    )
    .max(1024)
    .readonly(),
});

/** A page draws edges between turns, and tints tokens: each must have its number, and point backwards. */
function fitsTurns({ turns, blame: told }: Blamed): boolean {
  if (told === null) return true;
  if (told.turns.length !== turns.length) return false;
  return told.turns.every(({ origins, influence, handedOn }, place) => {
    const { length } = turns[place]!.promptTokens;
    const hasAll = [origins, influence, handedOn].every((values) => values.length === length);
    return hasAll && origins.every((origin) => origin < place);
  });
}

interface Blamed {
  readonly turns: readonly Pick<z.output<typeof turn>, 'promptTokens'>[];
  readonly blame: z.output<typeof blame> | null;
}

const transcript = z
  .strictObject({
    arm: armNameSchema,
    seed: z.int(),
    iteration: count,
    task: count,
    taskStart: z.string().max(4096),
    rollout: count,
    turns: z.array(turn).max(1024).readonly(),
    teamReward: exactNumber,
    isSolved: z.boolean(),
    /** Agents whose norm spiked and that the episode was told for; absent = none. */
    spikingAgents: z.array(armNameSchema).max(32).readonly().default([]),
    /** Absent = not measured. */
    blame: blame.nullable().default(null),
  })
  .refine(fitsTurns, {
    path: ['blame'],
    error: 'does not fit the turns: one entry a turn and a prompt token, of earlier turns',
  });

const transcripts = z.array(transcript).max(maxRecordedTranscripts).readonly();

/** One episode as the trainer tells it to the page. */
export type RecordedTranscript = z.output<typeof transcript>;

export function packTranscripts(episodes: readonly RecordedTranscript[]): string {
  const text = JSON.stringify(episodes, (_key, value: unknown) =>
    typeof value === 'number' && !isInJson(value) ? textOf(value) : value,
  );
  return pack(strToU8(text));
}

function isInJson(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function textOf(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The episodes, or in words why there are none. */
export function unpackTranscripts(text: string): readonly RecordedTranscript[] | string {
  const bytes = unpack(text, maxTranscriptBytes);
  if (typeof bytes === 'string') return bytes;
  let data: unknown;
  try {
    data = JSON.parse(strFromU8(bytes));
  } catch {
    return 'it unpacks to something that is not JSON';
  }
  const { copy, issues } = plainCopy(data);
  if (issues[0] !== undefined) return `${issues[0].path}: ${issues[0].message}`;
  const parsed = transcripts.safeParse(copy);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return issue === undefined
    ? 'it holds something else than episodes'
    : `${issue.path.join('.')}: ${issue.message}`;
}
