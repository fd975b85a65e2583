import { strFromU8, strToU8 } from 'fflate';
import * as z from 'zod/mini';
import { plainCopy } from '../config/plainData';
import { withDefault } from '../config/schemaParts';
import { armNameSchema } from './names';
import { pack, unpack } from './packedColumns';
import { maxRecordedTranscripts } from './recording';

/** Unpacked, all together. A turn takes about 1 kB. */
const maxTranscriptBytes = 4 * 1024 * 1024;

const notInJson = ['NaN', 'Infinity', '-Infinity', '-0'] as const;

/** JSON has no word for some float64 values: they are written as text. */
const exactNumber = z.union([z.number(), z.pipe(z.enum(notInJson), z.transform(Number))], {
  error: 'a number, or NaN, Infinity, -Infinity or -0 as text',
});

const token = z.string().check(z.maxLength(64));
const tokens = z.readonly(z.array(token).check(z.maxLength(1024)));
const count = z.int().check(z.minimum(0));

const turn = z.strictObject({
  agent: armNameSchema,
  turnIndex: count,
  invocation: z.nullable(count),
  promptTokens: tokens,
  actionTokens: tokens,
  rolloutLogprobs: z.readonly(z.array(exactNumber).check(z.maxLength(1024))),
  isValid: z.boolean(),
  penalty: exactNumber,
  reward: exactNumber,
  advantage: exactNumber,
  isLearned: z.boolean(),
});

const transcript = z.strictObject({
  arm: armNameSchema,
  seed: z.int(),
  iteration: count,
  task: count,
  taskStart: z.string().check(z.maxLength(4096)),
  rollout: count,
  turns: z.readonly(z.array(turn).check(z.maxLength(1024))),
  teamReward: exactNumber,
  isSolved: z.boolean(),
  /** Agents whose norm spiked and that the episode was told for; absent = none. */
  spikingAgents: withDefault(z.readonly(z.array(armNameSchema).check(z.maxLength(32))), []),
});

const transcripts = z.readonly(z.array(transcript).check(z.maxLength(maxRecordedTranscripts)));

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
