import { firstIssues } from '../config/issueMessages';
import type { SpecIssue } from '../config/specIssue';

/** What every reader of this folder gives back: a typed value, or what is wrong and where. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | Refusal;

export interface Refusal {
  readonly ok: false;
  /** At least one, at most some fifty. */
  readonly issues: readonly SpecIssue[];
}

/** One fault at one place. */
export function refusal(path: string, message: string): Refusal {
  return { ok: false, issues: [{ path, message }] };
}

/** The value, unless there are issues. */
export function parsedUnless<T>(issues: readonly SpecIssue[], value: T): Parsed<T> {
  return issues.length > 0 ? { ok: false, issues: firstIssues(issues) } : { ok: true, value };
}

/** Issues of a part as issues of the whole. */
export function issuesUnder(outer: string, issues: readonly SpecIssue[]): readonly SpecIssue[] {
  return issues.map(({ path, message }) => ({
    path: path === '' ? outer : `${outer}.${path}`,
    message,
  }));
}
