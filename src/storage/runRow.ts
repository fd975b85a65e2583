import * as z from 'zod/mini';
import { isPlainObject } from '../config/dataPath';
import { wordsSchema } from '../config/fingerprintSchema';
import { shown, toSpecIssues } from '../config/issueMessages';
import { parseSpec } from '../config/parseSpec';
import { countSchema } from '../config/schemaParts';
import { canonicalJson, specHash as hashOf } from '../config/specHash';
import type { ExperimentSpec } from '../config/experimentSpec';
import type { SpecIssue } from '../config/specIssue';
import { cellIdSchema } from '../notebook/names';
import type { NewRun, RunHead, RunStanding } from './storageApi';

/** Runs and notebooks are named by the page: long random ids. They become parts of file names. */
export const storedIdSchema = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, '1 to 64 letters, digits, - and _'));

const time = z.number();

const headSchema = z.strictObject({
  runId: storedIdSchema,
  notebookId: storedIdSchema,
  experiment: cellIdSchema,
  /** Canonical JSON, in the words of the version that ran it. */
  spec: z.string(),
  /** Of `spec` as it stands here. */
  specHash: z.string().check(z.regex(/^[0-9a-f]{16}$/, '16 hexadecimal digits')),
  startedAt: time,
  versions: z.strictObject({ marlbook: wordsSchema, browser: wordsSchema }),
  userAgent: wordsSchema,
});

/** What changes with every batch. */
const progressSchema = z.strictObject({
  standing: z.strictObject({
    phase: z.enum([
      'preparing',
      'selfTest',
      'warmStart',
      'training',
      'paused',
      'finished',
      'stopped',
      'failed',
    ]),
    message: z.nullable(z.string()),
    endedAt: z.nullable(time),
  }),
  /** Chunks 0 to this, without it. */
  numChunks: countSchema,
  lastIteration: z.nullable(countSchema),
  savedAt: time,
});

export type Progress = z.output<typeof progressSchema>;

interface RunRow {
  readonly head: z.output<typeof headSchema>;
  readonly progress: Progress;
}

type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

const firstStanding: RunStanding = { phase: 'preparing', message: null, endedAt: null };

/** Longest words of a head: a browser names itself as it likes. */
const maxWords = 1000;

export function encodeRun({ spec, userAgent, ...rest }: NewRun): RunRow {
  return {
    head: {
      ...rest,
      spec: canonicalJson(spec),
      specHash: hashOf(spec),
      userAgent: userAgent.slice(0, maxWords),
    },
    progress: {
      standing: firstStanding,
      numChunks: 0,
      lastIteration: null,
      savedAt: rest.startedAt,
    },
  };
}

/** The row after a batch; its head, readable or not, stays as it is. */
export function withProgress(row: unknown, progress: Progress): unknown {
  return { ...(isPlainObject(row) ? row : {}), progress };
}

export function parseProgress(row: unknown): Parsed<Progress> {
  const data = part(row, 'progress');
  const parsed = progressSchema.safeParse(data);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, issues: under('progress', toSpecIssues(parsed.error.issues, data)) };
}

/** @param key of the row: a head that names another run was misplaced */
export function parseHead(row: unknown, key: string): Parsed<RunHead> {
  const data = part(row, 'head');
  const parsed = headSchema.safeParse(data);
  if (!parsed.success)
    return { ok: false, issues: under('head', toSpecIssues(parsed.error.issues, data)) };
  const { spec: text, ...rest } = parsed.data;
  if (rest.runId !== key)
    return refused('head.runId', `${shown(rest.runId)} came under the key ${shown(key)}.`);
  const spec = parseSpecText(text, rest.specHash);
  return spec.ok ? { ok: true, value: { ...rest, spec: spec.value } } : spec;
}

/** The hash is of what stands in the row: a specification that has changed since is found out. */
function parseSpecText(text: string, specHash: string): Parsed<ExperimentSpec> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return refused('head.spec', 'A text came that is no JSON.');
  }
  const parsed = parseSpec(data);
  if (!parsed.ok) return { ok: false, issues: under('head.spec', parsed.issues) };
  const actual = isPlainObject(data) ? hashOf(data) : '';
  if (actual === specHash) return { ok: true, value: parsed.spec };
  const message = `${shown(specHash)} came, but the specification beside it has ${actual}: it does not say what ran.`;
  return refused('head.specHash', message);
}

function part(row: unknown, name: 'head' | 'progress'): unknown {
  return isPlainObject(row) ? row[name] : undefined;
}

function refused(path: string, message: string): Parsed<never> {
  return { ok: false, issues: [{ path, message }] };
}

/** Issues of a part, with the path from the whole. */
export function under(outer: string, issues: readonly SpecIssue[]): readonly SpecIssue[] {
  return issues.map(({ path, message }) => ({
    path: path === '' ? outer : `${outer}.${path}`,
    message,
  }));
}
