import { strFromU8, strToU8 } from 'fflate';
import * as z from 'zod/mini';
import { blameFits } from '../config/blameSchema';
import { exactNumberJson } from '../config/exactNumber';
import { toSpecIssues } from '../config/issueMessages';
import { plainCopy } from '../config/plainData';
import { withDefault } from '../config/schemaParts';
import { transcriptFields } from '../config/transcriptSchema';
import { pack, unpack } from './packedColumns';
import { maxRecordedTranscripts } from './recording';

/** Unpacked, all together. A turn takes about 1 kB. */
const maxTranscriptBytes = 4 * 1024 * 1024;

/** A recording from before episodes were told for a spike, or blamed, has none that were. */
const transcript = z
  .extend(transcriptFields, {
    spikingAgents: withDefault(transcriptFields.shape.spikingAgents, []),
    blame: withDefault(transcriptFields.shape.blame, null),
  })
  .check(blameFits);

const transcripts = z.readonly(z.array(transcript).check(z.maxLength(maxRecordedTranscripts)));

/** One episode as the trainer tells it to the page. */
export type RecordedTranscript = z.output<typeof transcript>;

export function packTranscripts(episodes: readonly RecordedTranscript[]): string {
  const text = JSON.stringify(episodes, (_key, value: unknown) =>
    typeof value === 'number' ? exactNumberJson(value) : value,
  );
  return pack(strToU8(text));
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
  const [issue] = toSpecIssues(parsed.error.issues, copy);
  return issue === undefined
    ? 'it holds something else than episodes'
    : `${issue.path}: ${issue.message}`;
}
