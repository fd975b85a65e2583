import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';

/**
 * Formulas as additions to CommonMark: `$…$` in a line, `$$…$$` on lines of their own or inside a paragraph. The contents are TeX and
 * no Markdown. The dollar rule is pandoc's (`tex_math_dollars`): no blank behind the opening dollar or before the closing one, and no
 * digit behind that, so that `$5 and $10` are prices; and the next dollar closes or nothing does. `\$` is a dollar everywhere.
 */
export function addMathRules(md: MarkdownIt): void {
  md.inline.ruler.after('escape', 'math', inlineMath);
  md.block.ruler.after('fence', 'mathBlock', blockMath, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
}

function inlineMath(state: StateInline, isSilent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src[pos] !== '$') return false;
  const fence = src[pos + 1] === '$' ? '$$' : '$';
  const start = pos + fence.length;
  const end = canOpen(fence, src[start]) ? closingDollars(src, fence, start) : null;
  if (end === null || end >= posMax) {
    // All of a run that opens nothing: `$$5` must not open at its second dollar.
    const run = dollarsAt(src, pos);
    if (!isSilent) state.pending += src.slice(pos, pos + run);
    state.pos = pos + run;
    return true;
  }
  if (!isSilent) {
    const token = state.push('math', '', 0);
    token.content = src.slice(start, end);
    token.markup = fence;
  }
  state.pos = end + fence.length;
  return true;
}

function dollarsAt(src: string, pos: number): number {
  let run = 1;
  while (src[pos + run] === '$') run += 1;
  return run;
}

function canOpen(fence: string, next: string | undefined): boolean {
  return next !== undefined && next !== '$' && (fence === '$$' || !/\s/.test(next));
}

/** Where the next dollars stand, if they close what was opened before `start`; null where they do not, or are none. */
function closingDollars(src: string, fence: string, start: number): number | null {
  let at = src.indexOf(fence, start);
  while (at > 0 && src[at - 1] === '\\') at = src.indexOf(fence, at + 1);
  if (at <= start) return null;
  const isClosing = fence === '$$' || !(/\s/.test(src[at - 1]!) || /\d/.test(src[at + 1] ?? ''));
  return isClosing ? at : null;
}

/** Without a closing fence it runs to the end of what holds it, as fenced code does. */
function blockMath(
  state: StateBlock,
  startLine: number,
  endLine: number,
  isSilent: boolean,
): boolean {
  const first = lineOf(state, startLine);
  if (!first.startsWith('$$') || state.sCount[startLine]! - state.blkIndent >= 4) return false;
  const rest = first.slice(2).trimEnd();
  const isOneLine = rest.length > 2 && rest.endsWith('$$');
  // `$$x$$ is …` opens a paragraph.
  if (!isOneLine && rest.includes('$$')) return false;
  if (isSilent) return true;
  const more = isOneLine ? [] : linesToFence(state, startLine + 1, endLine);
  state.line = startLine + 1 + more.length;
  const token = state.push('mathBlock', '', 0);
  token.content = [rest, ...more].join('\n').replace(/\$\$$/, '').trim();
  token.markup = '$$';
  token.map = [startLine, state.line];
  return true;
}

/** Lines up to and with the one that ends in a fence, or to the end. */
function linesToFence(state: StateBlock, from: number, endLine: number): readonly string[] {
  const lines: string[] = [];
  for (let line = from; line < endLine && !lines.at(-1)?.endsWith('$$'); line++) {
    if (state.sCount[line]! < state.blkIndent && !state.isEmpty(line)) break;
    lines.push(lineOf(state, line).trimEnd());
  }
  return lines;
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]);
}
