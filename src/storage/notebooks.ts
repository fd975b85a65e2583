import * as z from 'zod/mini';
import { firstIssues, toSpecIssues } from '../config/issueMessages';
import type { SpecIssue } from '../config/specIssue';
import { maxTitleLength, type Notebook } from '../notebook/notebook';
import { encodeNotebookFile, parseNotebookFile } from '../notebook/notebookFile';
import type { NotebookSummary, ReadNotebook } from './storageApi';

/** Title and time stand beside the text, so that a list need not read every document. */
const notebookRowSchema = z.strictObject({
  title: z.string().check(z.maxLength(maxTitleLength)),
  savedAt: z.number(),
  /** JSON as in a file, without recordings: runs are stored apart. */
  text: z.string(),
});

export function encodeNotebookRow(
  notebook: Notebook,
  savedAt: number,
): z.output<typeof notebookRowSchema> {
  const text = JSON.stringify(encodeNotebookFile({ notebook, recordings: new Map() }));
  return { title: notebook.title, savedAt, text };
}

export function parseNotebookSummary(
  notebookId: string,
  row: unknown,
):
  | { readonly ok: true; readonly summary: NotebookSummary }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] } {
  const parsed = notebookRowSchema.safeParse(row);
  if (!parsed.success) return { ok: false, issues: toSpecIssues(parsed.error.issues, row) };
  const { title, savedAt } = parsed.data;
  return { ok: true, summary: { notebookId, title, savedAt } };
}

/** Never throws on what a database can hold. */
export function parseNotebookRow(notebookId: string, row: unknown): ReadNotebook {
  if (row === undefined)
    return {
      ok: false,
      reason: 'missing',
      message: `No notebook ${notebookId} is saved in this browser: it was deleted, or is in another one.`,
      issues: [],
      text: null,
    };
  const parsed = notebookRowSchema.safeParse(row);
  if (!parsed.success) return damaged(notebookId, toSpecIssues(parsed.error.issues, row), null);
  const { text, savedAt } = parsed.data;
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return damaged(notebookId, [{ path: 'text', message: 'A text came that is no JSON.' }], text);
  }
  const file = parseNotebookFile(data);
  return file.ok
    ? { ok: true, notebook: file.notebook, savedAt }
    : damaged(notebookId, file.issues, text);
}

function damaged(
  notebookId: string,
  issues: readonly SpecIssue[],
  text: string | null,
): ReadNotebook {
  const [first] = issues;
  return {
    ok: false,
    reason: 'damaged',
    message: `The saved notebook ${notebookId} cannot be read${first === undefined ? '' : ` (${first.path}: ${first.message})`}. It stays as it is until it is deleted; other notebooks and its runs are not touched by it.`,
    issues: firstIssues(issues),
    text,
  };
}
