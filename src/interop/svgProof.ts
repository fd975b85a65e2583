import { parseProof, proofJson, proofKeyword, type FigureProof } from './figureProof';
import { issuesUnder, refusal, type Parsed } from './parsed';
import { safeSvgTokens } from './safeSvg';
import type { XmlToken } from './strictXml';

/** A proof in the `<metadata>` of an SVG figure. */

/**
 * The figure with the proof in it, as the first child of its root. Throws RangeError for a text that the reader would refuse: no SVG, one
 * with scripts, or with metadata of its own.
 */
export function svgWithProof(svg: string, proof: FigureProof): string {
  const start = /<svg(?:[^"'>]|"[^"]*"|'[^']*')*>/.exec(svg);
  const end = start === null ? 0 : start.index + start[0].length;
  const element = `<metadata id="${proofKeyword}">${escaped(proofJson(proof))}</metadata>`;
  const carrying = `${svg.slice(0, end)}${element}${svg.slice(end)}`;
  const read = readSvgProof(carrying);
  if (!read.ok) {
    const [issue] = read.issues;
    throw new RangeError(`The figure cannot carry its proof: ${issue?.path}: ${issue?.message}`);
  }
  return carrying;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * The proof that a figure carries, or why it is not read: not well-formed, a DOCTYPE (whose entities can grow without bound), something
 * active, no metadata or other metadata than ours. Reads the text only; nothing of it is drawn or run. Never throws.
 */
export function readSvgProof(svg: string): Parsed<FigureProof> {
  const tokens = safeSvgTokens(svg);
  if (typeof tokens === 'string') return refusal('', tokens);
  const text = metadataText(tokens);
  if (typeof text === 'object') return refusal('metadata', text.fault);
  const proof = parseProof(text);
  return proof.ok ? proof : { ok: false, issues: issuesUnder('metadata', proof.issues) };
}

/** The text of the one metadata element, which is ours, under the root and without elements in it. */
function metadataText(tokens: readonly XmlToken[]): string | { readonly fault: string } {
  const starts = tokens.flatMap((token, i) =>
    token.kind === 'open' && token.name === 'metadata' ? [i] : [],
  );
  const [at] = starts;
  if (at === undefined)
    return { fault: 'Is missing: the figure was not exported here, or a program has removed it.' };
  if (starts.length > 1 || !isOurs(tokens[at])) return { fault: 'Is of another program.' };
  if (depthAt(tokens, at) !== 1) return { fault: 'Stands inside another element than the root.' };
  const [text, end] = [tokens[at + 1], tokens[at + 2]];
  return text?.kind === 'text' && end?.kind === 'close'
    ? text.text
    : { fault: 'Holds elements, or nothing.' };
}

function isOurs(token: XmlToken | undefined): boolean {
  if (token?.kind !== 'open') return false;
  const [id, ...others] = token.attributes;
  return id?.name === 'id' && id.value === proofKeyword && others.length === 0;
}

/** Elements that are open before the token. */
function depthAt(tokens: readonly XmlToken[], at: number): number {
  return tokens
    .slice(0, at)
    .reduce((depth, { kind }) => depth + Number(kind === 'open') - Number(kind === 'close'), 0);
}
