import { joinPath } from '../config/dataPath';
import { shown } from '../config/issueMessages';
import { reservedKeys } from '../config/plainData';
import { parsedUnless, refusal, type Parsed } from './parsed';
import type { SpecIssue } from '../config/specIssue';
import { strictUtf8 } from './utf8';

/** Deeper than any document of this folder; recursion over one must end. */
const maxDepth = 24;

/** A hostile text can be wrong in ten million places. */
const maxIssues = 100;

/** What is open at a place in a text: an object with the keys seen so far, or a list. */
interface Scope {
  readonly keys: Set<string> | null;
  readonly path: string;
  /** In an object: a key comes next, not a value. */
  expectsKey: boolean;
  /** Last key of the object, or index in the list. */
  at: string | number;
}

/**
 * Text to plain data, stricter than the language's own parser, which keeps the last of two equal keys and says nothing: repeated keys,
 * reserved keys and deep nesting are refused with their paths. Never throws.
 */
export function parseStrictJson(text: string): Parsed<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refusal('', `${shown(text)} came, expected JSON: the file is damaged or another kind.`);
  }
  // From here on the text is known to be JSON, so that its tokens can be taken without checking the grammar again.
  return parsedUnless(keyIssues(text), value);
}

/** The same for bytes, which must be UTF-8 and no more than `maxBytes`. */
export function parseJsonBytes(bytes: Uint8Array, maxBytes: number): Parsed<unknown> {
  if (bytes.length > maxBytes)
    return refusal(
      '',
      `${bytes.length} bytes came, expected at most ${maxBytes}: not of this kind.`,
    );
  const text = strictUtf8(bytes);
  return text === null
    ? refusal('', 'The bytes are not UTF-8 text: the file is damaged or another kind.')
    : parseStrictJson(text);
}

function keyIssues(text: string): readonly SpecIssue[] {
  const issues: SpecIssue[] = [];
  const open: Scope[] = [];
  // Where a string begins, or a sign that decides whether one is a key.
  const marks = /["[\]{},]/g;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const [sign] = mark;
    const scope = open.at(-1);
    if (sign === '{' || sign === '[') {
      if (open.length === maxDepth)
        return [...issues, { path: '', message: `Nested deeper than ${maxDepth} levels.` }];
      open.push(opened(sign, scope));
    } else if (sign === '}' || sign === ']') open.pop();
    else if (sign === ',') takeComma(scope);
    else {
      marks.lastIndex = stringEnd(text, mark.index);
      if (scope !== undefined)
        takeString(issues, scope, { text, start: mark.index, end: marks.lastIndex });
      if (issues.length >= maxIssues) break;
    }
  }
  return issues;
}

/**
 * Behind the closing quote of the string that begins at `start`. By search and not by a pattern: a pattern remembers a place for each
 * character of a string, and a packed recording has more than it can remember.
 */
function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** An odd number of backslashes stands before it. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}

function opened(token: string, outer: Scope | undefined): Scope {
  const path = outer === undefined ? '' : joinPath(outer.path, outer.at);
  return token === '{'
    ? { keys: new Set(), path, expectsKey: true, at: '' }
    : { keys: null, path, expectsKey: false, at: 0 };
}

function takeComma(scope: Scope | undefined): void {
  if (scope === undefined) return;
  if (scope.keys === null) scope.at = Number(scope.at) + 1;
  else scope.expectsKey = true;
}

/** Inside an object the first string after `{` or `,` is a key. */
function takeString(
  issues: SpecIssue[],
  scope: Scope,
  { text, start, end }: { readonly text: string; readonly start: number; readonly end: number },
): void {
  if (scope.keys === null || !scope.expectsKey) return;
  const key: unknown = JSON.parse(text.slice(start, end));
  takeKey(issues, scope, scope.keys, String(key));
}

function takeKey(issues: SpecIssue[], scope: Scope, keys: Set<string>, key: string): void {
  scope.expectsKey = false;
  scope.at = key;
  const path = joinPath(scope.path, key);
  if (reservedKeys.has(key))
    issues.push({ path, message: `The key ${key} is reserved: remove it.` });
  else if (keys.has(key))
    issues.push({ path, message: 'The key came twice: every key once, or a reader must guess.' });
  keys.add(key);
}
