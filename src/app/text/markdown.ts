import createMarkdownIt, { type MarkdownIt, type StateBlock, type Token } from 'markdown-it';
import { addMathRules } from './mathRules';
import { placeholderMark } from './placeholders';

/** Lists and quotes inside one another; what is deeper stands there as it was written. */
const maxDepth = 40;

/**
 * Markdown to tokens: CommonMark, tables and struck text as on GitHub, and formulas. Nothing in it becomes HTML: tags are text.
 * Linear in the source up to list and table bookkeeping, whatever it nests.
 */
const markdown = createMarkdown();

export type { Token };

/** Tokens in document order: what opens, what is inside, what closes. Never throws. */
export function markdownTokens(source: string): readonly Token[] {
  return markdown.parse(source, {});
}

function createMarkdown(): MarkdownIt {
  const md = createMarkdownIt('default', { html: false, linkify: false, maxNesting: 2 * maxDepth });
  const normalizeLink = md.normalizeLink.bind(md);
  // An address is the author's own text: a live value has no place in it.
  md.normalizeLink = (url) => (url.includes(placeholderMark) ? '' : normalizeLink(url));
  md.validateLink = isAddress;
  md.block.ruler.before('table', 'tooDeep', asWritten);
  addMathRules(md);
  return md;
}

/** Addresses of other pages and of people. Everything else (scripts, data, files, parts of this page) is no link but text. */
function isAddress(url: string): boolean {
  return /^(?:https?:\/\/|mailto:)[^\s]/i.test(url);
}

function asWritten(
  state: StateBlock,
  startLine: number,
  endLine: number,
  isSilent: boolean,
): boolean {
  if (isSilent || state.level < maxDepth) return false;
  state.push('paragraph_open', 'p', 1);
  state.push('text', '', 0).content = state.getLines(startLine, endLine, state.blkIndent, false);
  state.push('paragraph_close', 'p', -1);
  state.line = endLine;
  return true;
}
