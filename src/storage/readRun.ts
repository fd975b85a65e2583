import { firstIssues } from '../config/issueMessages';
import type { SpecIssue } from '../config/specIssue';
import type { Transaction } from './database';
import { parseGroup } from './groupRow';
import { allOfRun } from './keyRanges';
import { readChunks } from './readChunks';
import { parseHead, parseProgress, under } from './runRow';
import type { KeptEvent, ReadRun, RunSummary, StoredRun } from './storageApi';
import { parseTranscript } from './transcriptRow';

/** Everything of a run as it stands in the database at one moment. */
export interface RunRows {
  readonly runId: string;
  readonly row: unknown;
  readonly chunks: readonly Stored<[string, number]>[];
  readonly transcripts: readonly Stored<[string, number, number, number]>[];
  readonly groups: readonly Stored<[string, number, number, number, number]>[];
  readonly checkpoints: readonly number[];
}

export interface Stored<K> {
  readonly key: K;
  readonly value: unknown;
}

export const readStores = ['runs', 'chunks', 'transcripts', 'groups', 'checkpoints'] as const;

/** In one transaction: no batch is half there. */
export async function runRows(transaction: Transaction, runId: string): Promise<RunRows> {
  const range = allOfRun(runId);
  const chunks = transaction.objectStore('chunks');
  const transcripts = transaction.objectStore('transcripts');
  const groups = transaction.objectStore('groups');
  const [row, checkpoints, ...pairs] = await Promise.all([
    transaction.objectStore('runs').get(runId),
    transaction.objectStore('checkpoints').getAllKeys(range),
    paired(chunks.getAllKeys(range), chunks.getAll(range)),
    paired(transcripts.getAllKeys(range), transcripts.getAll(range)),
    paired(groups.getAllKeys(range), groups.getAll(range)),
  ]);
  const [ofChunks, ofTranscripts, ofGroups] = pairs;
  return {
    runId,
    row,
    chunks: ofChunks,
    transcripts: ofTranscripts,
    groups: ofGroups,
    checkpoints: checkpoints.map(([, iteration]) => iteration),
  };
}

async function paired<K>(
  keys: Promise<readonly K[]>,
  values: Promise<readonly unknown[]>,
): Promise<readonly Stored<K>[]> {
  const [all, of] = await Promise.all([keys, values]);
  return all.map((key, i) => ({ key, value: of[i] }));
}

/** What is told of a run beside its events, or what is wrong with its row. */
export function summaryOf({
  runId,
  row,
  checkpoints,
}: Pick<RunRows, 'runId' | 'row' | 'checkpoints'>):
  | { readonly ok: true; readonly summary: RunSummary; readonly numChunks: number }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] } {
  const head = parseHead(row, runId);
  const progress = parseProgress(row);
  if (!head.ok || !progress.ok)
    return {
      ok: false,
      issues: [...(head.ok ? [] : head.issues), ...(progress.ok ? [] : progress.issues)],
    };
  const { standing, numChunks, lastIteration, savedAt } = progress.value;
  return {
    ok: true,
    numChunks,
    summary: {
      head: head.value,
      standing,
      lastSavedIteration: lastIteration,
      savedAt,
      checkpoints: checkpoints.filter((iteration) => Number.isSafeInteger(iteration)),
    },
  };
}

/** Never throws on what a database can hold. */
export function parseRun(rows: RunRows): ReadRun {
  if (rows.row === undefined)
    return {
      ok: false,
      reason: 'missing',
      message: `No run ${rows.runId} is saved in this browser: it was deleted, or is in another one.`,
      issues: [],
      intact: null,
    };
  const parsed = summaryOf(rows);
  if (!parsed.ok) return damaged(rows, parsed.issues, null);
  const { summary, numChunks } = parsed;
  const chunks = readChunks(rows.chunks, numChunks, summary.lastSavedIteration);
  const episodes = parts('transcripts', rows.transcripts, parseTranscript);
  const groups = parts('groups', rows.groups, parseGroup);
  const events = chunks.events.map((event) =>
    event.kind === 'iteration'
      ? {
          ...event,
          transcripts: episodes.byIteration.get(event.iteration) ?? [],
          groups: groups.byIteration.get(event.iteration) ?? [],
        }
      : event,
  );
  const issues = [
    ...chunks.issues,
    ...episodes.issues,
    ...groups.issues,
    ...(chunks.issues.length > 0 ? [] : strangers(rows, summary.lastSavedIteration)),
  ];
  const run: StoredRun = { ...summary, events, lastSavedIteration: lastOf(events) };
  return issues.length === 0 ? { ok: true, run } : damaged(rows, issues, run);
}

function lastOf(events: readonly KeptEvent[]): number | null {
  return events.findLast((event) => event.kind === 'iteration')?.iteration ?? null;
}

function damaged(
  { runId }: RunRows,
  issues: readonly SpecIssue[],
  intact: StoredRun | null,
): ReadRun {
  const rest =
    intact === null
      ? 'nothing of it can be shown'
      : intact.lastSavedIteration === null
        ? 'none of its iterations can be shown'
        : `iterations up to ${intact.lastSavedIteration} can be shown`;
  return {
    ok: false,
    reason: 'damaged',
    message: `The saved run ${runId} is damaged: ${rest}. Other runs are not touched by it.`,
    issues: firstIssues(issues),
    intact,
  };
}

type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

interface Parts<T> {
  readonly byIteration: ReadonlyMap<number, readonly T[]>;
  readonly issues: readonly SpecIssue[];
}

/** In the order of their keys: iteration by iteration, as they came. */
function parts<T>(
  name: string,
  rows: readonly Stored<readonly [string, number, ...unknown[]]>[],
  parse: (value: unknown) => Parsed<T>,
): Parts<T> {
  const byIteration = new Map<number, T[]>();
  const issues: SpecIssue[] = [];
  for (const { key, value } of rows) {
    const [, iteration, place] = key;
    const parsed = parse(value);
    if (!parsed.ok) {
      issues.push(...under(`${name}.${iteration}.${String(place)}`, parsed.issues));
      continue;
    }
    const ofIteration = byIteration.get(iteration);
    if (ofIteration === undefined) byIteration.set(iteration, [parsed.value]);
    else ofIteration.push(parsed.value);
  }
  return { byIteration, issues };
}

/** Episodes and group records of iterations that the run has not. */
function strangers(
  { transcripts, groups }: RunRows,
  lastIteration: number | null,
): readonly SpecIssue[] {
  const last = lastIteration ?? -1;
  const beyond = (name: string, rows: readonly Stored<readonly [string, number, ...unknown[]]>[]) =>
    rows
      .filter(({ key: [, iteration] }) => !(iteration >= 0 && iteration <= last))
      .map(({ key: [, iteration] }) => ({
        path: `${name}.${iteration}`,
        message: `Iteration ${iteration} came, but the run has none after ${last}.`,
      }));
  return [...beyond('transcripts', transcripts), ...beyond('groups', groups)];
}
