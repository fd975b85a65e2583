import { xmlTokens, type XmlAttribute, type XmlToken } from './strictXml';

/** A chart of ours has some hundred kilobytes. Unit: characters. */
const maxLength = 16 * 1024 * 1024;

/** Elements of a drawing. A list of what is allowed: what runs, fetches or is HTML is not on it, nor what a later browser may add. */
const drawingElements: ReadonlySet<string> = new Set([
  'svg',
  'g',
  'defs',
  'symbol',
  'use',
  'path',
  'line',
  'rect',
  'circle',
  'ellipse',
  'polygon',
  'polyline',
  'text',
  'tspan',
  'textPath',
  'image',
  'clipPath',
  'mask',
  'marker',
  'pattern',
  'linearGradient',
  'radialGradient',
  'stop',
  'title',
  'desc',
  'style',
  'metadata',
]);

/** Elements for text alone. A browser reads elements in a title or desc of an SVG in a page as HTML. */
const textElements: ReadonlySet<string> = new Set(['title', 'desc', 'style', 'metadata']);

/**
 * In a style or an attribute: what makes CSS fetch something that is not a part of the figure itself or data in it. Backslashes too,
 * which can spell any of it.
 */
const fetching =
  /\\|@import|image-set\(|src\(|url\(\s*(?!\s|["']?(?:#|data:(?:font|image\/(?:png|jpeg))))/i;

/**
 * The tokens of a figure that is well-formed and can be looked at: no DOCTYPE (whose entities can grow without bound), nothing that runs,
 * and nothing that is fetched from elsewhere. Or, in words, why it is not.
 */
export function safeSvgTokens(svg: string): readonly XmlToken[] | string {
  if (svg.length > maxLength)
    return `${svg.length} characters came, expected at most ${maxLength}.`;
  const tokens = xmlTokens(svg);
  if (typeof tokens === 'string') return `No figure of ours: ${tokens}.`;
  const root = tokens.find(({ kind }) => kind === 'open');
  if (root?.kind !== 'open' || root.name !== 'svg') return 'No SVG figure.';
  const fault = drawingFault(tokens);
  return fault === null
    ? tokens
    : `The figure has ${fault}: it was changed after it left the page.`;
}

/** What is more than a drawing; null if nothing is. */
function drawingFault(tokens: readonly XmlToken[]): string | null {
  /** Name of the element for text alone that is open. */
  let textElement: string | null = null;
  for (const token of tokens) {
    const fault = tokenFault(token, textElement);
    if (fault !== null) return fault;
    if (token.kind === 'open' || token.kind === 'close')
      textElement = token.kind === 'open' && textElements.has(token.name) ? token.name : null;
  }
  return null;
}

function tokenFault(token: XmlToken, textElement: string | null): string | null {
  if (token.kind === 'close') return null;
  // It would take the text apart here, but not where a browser reads it.
  if (token.kind === 'comment')
    return textElement === null ? null : `a comment inside of <${textElement}>`;
  if (token.kind === 'text')
    return textElement === 'style' && fetching.test(token.text)
      ? 'a style that fetches something'
      : null;
  if (textElement !== null) return `an element <${token.name}> where only text may be`;
  if (!drawingElements.has(token.name)) return `an element <${token.name}>`;
  const active = token.attributes.find(isActive);
  return active === undefined ? null : `an attribute ${active.name} that runs or fetches something`;
}

function isActive({ name, value }: XmlAttribute): boolean {
  const local = name.replace(/^.*:/, '').toLowerCase();
  if (local.startsWith('on') || fetching.test(value)) return true;
  return local === 'href' && !value.startsWith('#') && !/^data:image\/(png|jpeg);/.test(value);
}
