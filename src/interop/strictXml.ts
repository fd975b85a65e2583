/**
 * Takes XML apart that is no more than elements, attributes, text and comments: no DOCTYPE and so no entities of its own, no processing
 * instructions but the declaration, no CDATA. It builds no tree and runs nothing; a fault ends it.
 */

export interface XmlAttribute {
  readonly name: string;
  /** References resolved. */
  readonly value: string;
}

export type XmlToken =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: readonly XmlAttribute[] }
  | { readonly kind: 'close'; readonly name: string }
  /** References resolved. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'comment' };

const declaration =
  /^\s*<\?xml version="1\.0"(?: encoding="UTF-8")?(?: standalone="(?:yes|no)")?\s*\?>/i;
const name = '[A-Za-z_][A-Za-z0-9_.:-]*';
const attributePattern = new RegExp(`\\s+(${name})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y');
const opening = new RegExp(`<(${name})`, 'y');
const openingEnd = /\s*(\/?)>/y;
const closing = new RegExp(`</(${name})\\s*>`, 'y');
const textRun = /[^<]+/y;

const maxDepth = 64;

const damagedTag = 'a DOCTYPE, an instruction or a damaged tag';

const references: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Text with its references resolved; null where one is not predefined: those would need a DOCTYPE. */
function resolved(text: string): string | null {
  let isKnown = true;
  const plain = text.replaceAll(/&([^;&]{0,10};?)/g, (_whole, reference: string) => {
    const found = referenced(reference);
    isKnown &&= found !== null;
    return found ?? '';
  });
  return isKnown ? plain : null;
}

function referenced(reference: string): string | null {
  const [, hex, decimal, word] =
    /^(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|([a-z]{2,4}));$/.exec(reference) ?? [];
  if (word !== undefined) return Object.hasOwn(references, word) ? references[word]! : null;
  const code = hex === undefined ? Number(decimal ?? NaN) : Number.parseInt(hex, 16);
  const isCharacter = code >= 0x20 || code === 9 || code === 10 || code === 13;
  return isCharacter && code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

/** The tokens, elements closed in order and under one root; or what is wrong, in words. An empty element is opened and closed. */
export function xmlTokens(text: string): readonly XmlToken[] | string {
  const tokens: XmlToken[] = [];
  const open: string[] = [];
  let hasRoot = false;
  let at = declaration.exec(text)?.[0].length ?? 0;
  while (at < text.length) {
    const step = nextToken(text, at);
    if (typeof step === 'string') return `${step} at character ${at}`;
    const fault = nest(open, step.tokens, hasRoot);
    if (fault !== null) return `${fault} at character ${at}`;
    tokens.push(...step.tokens);
    hasRoot ||= step.tokens.some(({ kind }) => kind === 'open');
    at = step.end;
  }
  if (open.length > 0 || !hasRoot) return 'the text ends inside an element, or holds none';
  return tokens;
}

interface Step {
  readonly tokens: readonly XmlToken[];
  readonly end: number;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function nextToken(text: string, at: number): Step | string {
  const run = matchAt(textRun, text, at);
  if (run !== null) {
    const plain = resolved(run[0]);
    if (plain === null) return 'a reference to something that is not predefined';
    return { tokens: [{ kind: 'text', text: plain }], end: textRun.lastIndex };
  }
  if (text.startsWith('<!--', at)) return commentAt(text, at);
  const close = matchAt(closing, text, at);
  if (close !== null)
    return { tokens: [{ kind: 'close', name: close[1]! }], end: closing.lastIndex };
  const start = matchAt(opening, text, at);
  if (start === null) return damagedTag;
  return openingTag(text, opening.lastIndex, start[1]!);
}

/** As XML has it, and not begun like one that ends at once in HTML (`<!-->`, `<!--->`): all programs must see the same comment. */
function commentAt(text: string, at: number): Step | string {
  const start = at + '<!--'.length;
  const end = text.indexOf('--', start);
  const isWhole = end >= 0 && text[end + 2] === '>' && text[start] !== '>';
  return isWhole && !text.startsWith('->', start)
    ? { tokens: [{ kind: 'comment' }], end: end + 3 }
    : damagedTag;
}

/** @param at behind the element’s name */
function openingTag(text: string, at: number, element: string): Step | string {
  const attributes: XmlAttribute[] = [];
  const names = new Set<string>();
  let end = at;
  for (;;) {
    const match = matchAt(attributePattern, text, end);
    if (match === null) break;
    const value = resolved(match[2] ?? match[3] ?? '');
    if (value === null) return 'a reference to something that is not predefined';
    if (names.has(match[1]!)) return 'a repeated attribute';
    names.add(match[1]!);
    attributes.push({ name: match[1]!, value });
    end = attributePattern.lastIndex;
  }
  const last = matchAt(openingEnd, text, end);
  if (last === null) return 'a damaged tag';
  const token: XmlToken = { kind: 'open', name: element, attributes };
  const tokens = last[1] === '/' ? [token, { kind: 'close', name: element } as const] : [token];
  return { tokens, end: openingEnd.lastIndex };
}

/** Keeps `open`, the names of the elements that are open, in place; tells what is wrong. */
function nest(open: string[], tokens: readonly XmlToken[], hasRoot: boolean): string | null {
  for (const token of tokens) {
    if (token.kind === 'open') {
      if (open.length === 0 && hasRoot) return 'a second root';
      if (open.length >= maxDepth) return 'elements nested too deep';
      open.push(token.name);
    } else if (token.kind === 'close') {
      if (open.pop() !== token.name) return 'an element that is closed out of order';
    } else if (open.length === 0 && token.kind === 'text' && token.text.trim() !== '')
      return 'text outside of the root';
  }
  return null;
}
