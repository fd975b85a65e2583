import { joinPath } from '../config/dataPath';
import { shown } from '../config/issueMessages';
import { parsedUnless, refusal, type Parsed } from './parsed';
import type { SpecIssue } from '../config/specIssue';
import { strictUtf8 } from './utf8';

/** Names of JavaScript's object model: no format here needs them, and assigning to one is how pages get hijacked. */
const reservedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Deeper than any document of this folder; recursion over one must end. */
const maxDepth = 24;

const tokenPattern = /"(?:[^"\\]|\\.)*"|[[\]{},]/g;

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
  for (const [token] of text.matchAll(tokenPattern)) {
    const scope = open.at(-1);
    if (token === '{' || token === '[') {
      if (open.length === maxDepth)
        return [...issues, { path: '', message: `Nested deeper than ${maxDepth} levels.` }];
      open.push(opened(token, scope));
    } else if (token === '}' || token === ']') open.pop();
    else if (scope !== undefined) takeToken(issues, scope, token);
  }
  return issues;
}

function opened(token: string, outer: Scope | undefined): Scope {
  const path = outer === undefined ? '' : joinPath(outer.path, outer.at);
  return token === '{'
    ? { keys: new Set(), path, expectsKey: true, at: '' }
    : { keys: null, path, expectsKey: false, at: 0 };
}

/** A comma or a string: inside an object the first string after `{` or `,` is a key. */
function takeToken(issues: SpecIssue[], scope: Scope, token: string): void {
  if (token === ',') {
    if (scope.keys === null) scope.at = Number(scope.at) + 1;
    else scope.expectsKey = true;
  } else if (scope.keys !== null && scope.expectsKey) {
    const key: unknown = JSON.parse(token);
    takeKey(issues, scope, scope.keys, String(key));
  }
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
