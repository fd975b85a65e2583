import { exactNumberJson } from '../config/exactNumber';
import { toSpecIssues } from '../config/issueMessages';
import { plainCopy } from '../config/plainData';
import type { SpecIssue } from '../config/specIssue';
import { transcriptSchema, type FileTranscript } from '../config/transcriptSchema';
import type { Transcript } from '../protocol/trainerApi';

/** An episode is stored as JSON, as in files: most of it is words. Numbers that JSON does not know stand there as text. */
export function encodeTranscript(transcript: FileTranscript): string {
  return JSON.stringify(transcript, (_key, value: unknown) =>
    typeof value === 'number' ? exactNumberJson(value) : value,
  );
}

export type ParsedTranscript =
  | { readonly ok: true; readonly value: Transcript }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

/** A stored episode, or what is wrong with it. Never throws. */
export function parseTranscript(data: unknown): ParsedTranscript {
  if (typeof data !== 'string') return refused('Something else than text came.');
  let plain: unknown;
  try {
    plain = JSON.parse(data);
  } catch {
    return refused('A text came that is no JSON.');
  }
  const { copy, issues } = plainCopy(plain);
  if (issues.length > 0) return { ok: false, issues };
  const parsed = transcriptSchema.safeParse(copy);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, issues: toSpecIssues(parsed.error.issues, copy) };
}

function refused(message: string): ParsedTranscript {
  return { ok: false, issues: [{ path: '', message }] };
}
