import type * as z from 'zod/mini';
import { firstIssues, toSpecIssues } from '../config/issueMessages';
import type { SpecIssue } from '../config/specIssue';
import { issuesUnder, parsedUnless, refusal, type Parsed } from './parsed';
import { parseStrictJson } from './strictJson';
import { strictUtf8 } from './utf8';

/** JSON Lines (https://jsonlines.org): UTF-8, one JSON value a line, LF after every line. */

export interface LineLimits {
  readonly maxBytes: number;
  readonly maxLines: number;
}

/**
 * The values of all lines as the schema has them, or issues with the number of their line, from 1. An empty file has no lines; an
 * empty line is a fault, as is a last line without an end: then something was cut off. Never throws.
 */
export function parseJsonLines<T>(
  bytes: Uint8Array,
  schema: z.ZodMiniType<T>,
  { maxBytes, maxLines }: LineLimits,
): Parsed<readonly T[]> {
  if (bytes.length > maxBytes)
    return refusal('', `${bytes.length} bytes came, expected at most ${maxBytes}.`);
  const text = strictUtf8(bytes);
  if (text === null) return refusal('', 'The bytes are not UTF-8 text: the file is damaged.');
  if (text !== '' && !text.endsWith('\n'))
    return refusal('', 'The last line does not end: the file was cut off.');
  const lines = text.split('\n').slice(0, -1);
  if (lines.length > maxLines)
    return refusal('', `${lines.length} lines came, expected at most ${maxLines}.`);
  const values: T[] = [];
  const issues: SpecIssue[] = [];
  for (const [index, line] of lines.entries()) {
    const parsed = parseLine(line, schema);
    if (parsed.ok) values.push(parsed.value);
    else issues.push(...issuesUnder(`line ${index + 1}`, parsed.issues));
    // Past the first few nobody reads on.
    if (issues.length > 50) break;
  }
  return parsedUnless(issues, values);
}

function parseLine<T>(line: string, schema: z.ZodMiniType<T>): Parsed<T> {
  const json = parseStrictJson(line);
  if (!json.ok) return json;
  const parsed = schema.safeParse(json.value);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, issues: firstIssues(toSpecIssues(parsed.error.issues, json.value)) };
}

/** One line a value, as the replacer has it: with one that sorts keys, equal values give equal text. */
export function jsonLines(
  values: readonly unknown[],
  replacer: (key: string, value: unknown) => unknown,
): string {
  return values.map((value) => `${JSON.stringify(value, replacer)}\n`).join('');
}
