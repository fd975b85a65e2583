import { isPlainObject, joinPath } from '../config/dataPath';
import { shown, toSpecIssues } from '../config/issueMessages';
import { parseSpec } from '../config/parseSpec';
import type { SpecIssue } from '../config/specIssue';
import type * as z from 'zod/mini';
import { cellKinds, experimentFrameSchema, plainCellSchema, type NotebookCell } from './cells';
import { nearestName } from './nearestName';

export type ParsedCell =
  | { readonly ok: true; readonly cell: NotebookCell }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

/**
 * Plain data (from `plainCopy`) to a cell, or what is wrong with it. What it names outside itself is not looked at.
 * @param path of the cell in its document, before the paths of the issues; empty for a cell on its own
 */
export function parseCell(data: unknown, path: string): ParsedCell {
  if (!isPlainObject(data))
    return refusal(path, `${shown(data)} came, expected a cell (an object with an id and a kind).`);
  const kind = Object.hasOwn(data, 'kind') ? data['kind'] : undefined;
  if (!cellKinds.some((known) => known === kind))
    return refusal(joinPath(path, 'kind'), unknownKind(kind));
  if (kind === 'experiment') return parseExperimentCell(data, path);
  const parsed = plainCellSchema.safeParse(data);
  return parsed.success
    ? { ok: true, cell: parsed.data }
    : { ok: false, issues: cellIssues(parsed.error.issues, data, path) };
}

function refusal(path: string, message: string): ParsedCell {
  return { ok: false, issues: [{ path, message }] };
}

function unknownKind(kind: unknown): string {
  const nearest =
    typeof kind === 'string' ? ` The nearest is ${nearestName(kind, cellKinds)}.` : '';
  return `${shown(kind)} came, expected one of ${cellKinds.join(', ')}.${nearest}`;
}

function parseExperimentCell(data: object, path: string): ParsedCell {
  const frame = experimentFrameSchema.safeParse(data);
  const parsed = parseSpec(Reflect.get(data, 'spec'));
  if (frame.success && parsed.ok) return { ok: true, cell: { ...frame.data, spec: parsed.spec } };
  const specPath = joinPath(path, 'spec');
  const specIssues = parsed.ok ? [] : parsed.issues;
  return {
    ok: false,
    issues: [
      ...(frame.success ? [] : cellIssues(frame.error.issues, data, path)),
      ...specIssues.map(({ path: inner, message }) => ({ path: under(specPath, inner), message })),
    ],
  };
}

function under(outer: string, inner: string): string {
  return inner === '' ? outer : joinPath(outer, inner);
}

function cellIssues(
  zodIssues: readonly z.core.$ZodIssue[],
  data: unknown,
  path: string,
): readonly SpecIssue[] {
  return toSpecIssues(zodIssues, data).map(({ path: inner, message }) => ({
    path: under(path, inner),
    message,
  }));
}
