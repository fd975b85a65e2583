import { jsonLines, parseJsonLines, type LineLimits } from './jsonLines';
import type { Parsed } from './parsed';
import { stableReplacer } from './stableReplacer';
import { transcriptSchema, type FileTranscript } from '../config/transcriptSchema';

/** An episode takes some kilobytes; a page keeps some thousand. */
const limits: LineLimits = { maxBytes: 128 * 1024 * 1024, maxLines: 100_000 };

/** Episodes as JSON Lines, one an episode; every float64 reads back to the same bits (NaN, ±Infinity and −0 as text). */
export function transcriptLines(transcripts: readonly FileTranscript[]): string {
  return jsonLines(transcripts, stableReplacer);
}

/** Never throws. */
export function parseTranscriptLines(bytes: Uint8Array): Parsed<readonly FileTranscript[]> {
  return parseJsonLines(bytes, transcriptSchema, limits);
}
