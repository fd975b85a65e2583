import type { ExperimentSpec } from '../../config/experimentSpec';
import { fingerprintSchema, type Fingerprint } from '../../config/fingerprintSchema';
import { isPlainObject } from '../../config/dataPath';
import { parseSpec } from '../../config/parseSpec';
import type { MetricRow } from '../../metrics/catalog';
import type { Notebook } from '../../notebook/notebook';
import { isMetricKey } from '../../notebook/names';
import { parseNotebook } from '../../notebook/parseNotebook';

/** What stands in the database. It is read as unknown: another version may have written it, or a disk have lost a part. */

export interface NotebookRecord {
  readonly id: string;
  readonly notebook: Notebook;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

/** A run without what it logged. */
export interface RunRecord extends Fingerprint {
  readonly id: string;
  readonly notebookId: string;
  /** Id of its experiment cell. */
  readonly experiment: string;
  readonly spec: ExperimentSpec;
  /** `open`: still at work when this was written. */
  readonly ended: 'completed' | 'stopped' | 'failed' | 'open';
  readonly message: string | null;
  readonly notices: readonly string[];
  /** The last one that was logged. */
  readonly iteration: number;
  readonly wallMs: number;
  /** Of what it logged, about. */
  readonly bytes: number;
}

/** What a run logged in some iterations that follow one another. */
export interface RowsRecord {
  readonly rows: readonly MetricRow[];
  /** Seconds of training up to the end of each iteration. */
  readonly times: readonly (readonly [iteration: number, seconds: number])[];
}

export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

function refused(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}

function idOf(data: unknown): string {
  return isPlainObject(data) && typeof data['id'] === 'string' ? data['id'] : 'without an id';
}

export function parseNotebookRecord(data: unknown): Parsed<NotebookRecord> {
  if (!isPlainObject(data) || typeof data['id'] !== 'string' || !isDate(data['savedAt']))
    return refused(`The stored notebook ${idOf(data)} has no id or no date.`);
  const parsed = parseNotebook(data['notebook']);
  if (!parsed.ok) {
    const { path, message } = parsed.issues[0]!;
    return refused(`The stored notebook ${data['id']} cannot be read at ${path}: ${message}`);
  }
  return {
    ok: true,
    value: { id: data['id'], notebook: parsed.notebook, savedAt: data['savedAt'] },
  };
}

const endings: ReadonlySet<unknown> = new Set(['completed', 'stopped', 'failed', 'open']);

export function parseRunRecord(data: unknown): Parsed<RunRecord> {
  if (!isPlainObject(data) || !hasPlainFields(data))
    return refused(`The stored run ${idOf(data)} lacks a part, or one is of the wrong kind.`);
  const spec = parseSpec(data['spec']);
  if (!spec.ok) {
    const { path, message } = spec.issues[0]!;
    return refused(`The stored run ${idOf(data)} cannot be read at spec.${path}: ${message}`);
  }
  const { date, versions, device } = data;
  const origin = fingerprintSchema.safeParse({ date, versions, device });
  if (!origin.success)
    return refused(`The stored run ${idOf(data)} does not say where it was made.`);
  return { ok: true, value: { ...data, ...origin.data, spec: spec.spec } };
}

type PlainFields = Omit<RunRecord, 'spec' | keyof Fingerprint>;

function hasPlainFields(data: object): data is PlainFields & Record<string, unknown> {
  const at = (key: string): unknown => Reflect.get(data, key);
  const message = at('message');
  const notices = at('notices');
  return (
    ['id', 'notebookId', 'experiment'].every((key) => typeof at(key) === 'string') &&
    ['iteration', 'wallMs', 'bytes'].every((key) => isCount(at(key))) &&
    endings.has(at('ended')) &&
    (message === null || typeof message === 'string') &&
    Array.isArray(notices) &&
    notices.every((notice) => typeof notice === 'string')
  );
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

/** Null where it is no such record. */
export function parseRowsRecord(data: unknown): RowsRecord | null {
  if (!isPlainObject(data)) return null;
  const { rows, times } = data;
  return Array.isArray(rows) && rows.every(isRow) && Array.isArray(times) && times.every(isTime)
    ? { rows, times }
    : null;
}

function isRow(data: unknown): data is MetricRow {
  if (!isPlainObject(data) || !isPlainObject(data['values'])) return false;
  const { iteration, arm, seed, agent, values } = data;
  return (
    Number.isInteger(iteration) &&
    Number.isInteger(seed) &&
    typeof arm === 'string' &&
    typeof agent === 'string' &&
    Object.entries(values).every(([key, value]) => isMetricKey(key) && typeof value === 'number')
  );
}

function isTime(data: unknown): data is readonly [number, number] {
  return (
    Array.isArray(data) && data.length === 2 && data.every((value) => typeof value === 'number')
  );
}
