import * as z from 'zod/mini';
import { isPlainObject, joinPath } from '../config/dataPath';
import { firstIssues, shown, toSpecIssues } from '../config/issueMessages';
import type { SpecIssue } from '../config/specIssue';
import { encodeRecording } from './encodeRecording';
import { nearestName } from './nearestName';
import { experimentCells, type Notebook } from './notebook';
import { parseNotebook } from './parseNotebook';
import { parseRecording } from './parseRecording';
import type { RunRecording } from './recording';
import type { RecordingFrame } from './recordingFrame';

/** A notebook with the runs that were made of it. */
export interface NotebookFile {
  readonly notebook: Notebook;
  /** Id of an experiment cell → its run. Not every experiment has one. */
  readonly recordings: ReadonlyMap<string, RunRecording>;
}

export type ParsedNotebookFile =
  | ({ readonly ok: true } & NotebookFile)
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

const fileSchema = z.strictObject({
  notebook: z.unknown(),
  recordings: z.unknown(),
});

/**
 * Unknown data to a notebook with its recordings, or what is wrong. Takes `{ notebook, recordings }`, and a bare notebook as one
 * without recordings. A recording of other settings than its cell now has is no fault: `staleCells` says so. One that belongs to
 * no experiment cell is a fault. Never throws on data as JSON can hold it.
 */
export function parseNotebookFile(data: unknown): ParsedNotebookFile {
  if (!isPlainObject(data) || !Object.hasOwn(data, 'notebook')) {
    const bare = parseNotebook(data);
    return bare.ok ? { ...bare, recordings: new Map() } : bare;
  }
  const frame = fileSchema.safeParse(data);
  if (!frame.success)
    return { ok: false, issues: firstIssues(toSpecIssues(frame.error.issues, data)) };
  const parsed = parseNotebook(frame.data.notebook);
  if (!parsed.ok) return { ok: false, issues: under('notebook', parsed.issues) };
  return withRecordings(parsed.notebook, frame.data.recordings);
}

function withRecordings(notebook: Notebook, data: unknown): ParsedNotebookFile {
  if (!isPlainObject(data)) {
    const message = `${shown(data)} came, expected recordings by the id of their experiment cell (an object).`;
    return { ok: false, issues: [{ path: 'recordings', message }] };
  }
  const experiments = experimentCells(notebook).map(({ id }) => id);
  const strangers = Object.keys(data).filter((id) => !experiments.includes(id));
  if (strangers.length > 0)
    return {
      ok: false,
      issues: firstIssues(strangers.map((id) => strangerIssue(id, experiments))),
    };
  const recordings = new Map<string, RunRecording>();
  const issues: SpecIssue[] = [];
  for (const [id, entry] of Object.entries(data)) {
    const parsed = parseRecording(entry);
    if (parsed.ok) recordings.set(id, parsed.recording);
    else issues.push(...under(`recordings.${id}`, parsed.issues));
  }
  return issues.length > 0
    ? { ok: false, issues: firstIssues(issues) }
    : { ok: true, notebook, recordings };
}

function strangerIssue(id: string, experiments: readonly string[]): SpecIssue {
  const nearest = nearestName(id, experiments);
  const advice =
    nearest === undefined ? 'the notebook has no experiment cell' : `the nearest is ${nearest}`;
  const message = `A recording came for ${shown(id)}, which is no experiment cell here; ${advice}.`;
  return { path: joinPath('recordings', id), message };
}

function under(outer: string, issues: readonly SpecIssue[]): readonly SpecIssue[] {
  return issues.map(({ path, message }) => ({
    path: path === '' ? outer : `${outer}.${path}`,
    message,
  }));
}

/** As plain data for a file; `parseNotebookFile` gives every bit of it back. */
export function encodeNotebookFile({ notebook, recordings }: NotebookFile): {
  readonly notebook: Notebook;
  readonly recordings: Readonly<Record<string, RecordingFrame>>;
} {
  const encoded = [...recordings].map(
    ([id, recording]) => [id, encodeRecording(recording)] as const,
  );
  return { notebook, recordings: Object.fromEntries(encoded) };
}
