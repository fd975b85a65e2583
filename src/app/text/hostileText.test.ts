import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownTokens } from './markdown';
import { renderedText } from './testing/renderedText';

/** What no text may bring into the page: elements and attributes that run, load or leave. */
const dangerous =
  /<(script|img|iframe|object|embed|link|meta|base|form|input|style)\b|\s(on\w+|src|srcset|id|data-a|xlink)=|href="(?!https?:|mailto:)|evil/i;

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](java&Tab;script:alert(1))',
  '[x](vbscript:x) [x](data:text/html,<script>1</script>) [x](file:///etc) [x](//a.org) [x](#v1.x)',
  '[x]: javascript:alert(1)\n\n[x]',
  '<javascript:alert(1)>',
  '![x](https://a.org/pixel.png)',
  '![x](data:image/svg+xml,<svg/onload=alert(1)>)',
  '[x](https://a.org "\\" onmouseover=\\"alert(1)")',
  String.raw`$\href{javascript:alert(1)}{x}$`,
  String.raw`$\url{javascript:alert(1)}$`,
  String.raw`$\htmlClass{evil}{x}$ $\htmlId{evil}{x}$ $\htmlStyle{color:red}{x}$ $\htmlData{a=b}{x}$`,
  String.raw`$\includegraphics{https://a.org/x.png}$`,
  String.raw`$\text{<img src=x onerror=alert(1)>}$`,
  '```"><script>alert(1)</script>\nx\n```',
  '|<script>|\n|-|\n|<img src=x onerror=1>|',
  '{{<script>alert(1)</script>}}',
  '{{e1."onmouseover=alert(1).x}}',
];

/** The tags of the page's HTML, with the names of all attributes and the values of those that name something. */
function tagsOf(html: string): string {
  const tags = (html.match(/<[a-z][^>]*>/gi) ?? []).join('\n');
  return tags.replaceAll(/(?<!\s(?:href|class))="[^"]*"/g, '=""');
}

test.each(attacks)('%s does nothing', (attack) => {
  const html = renderedText(attack);
  expect(tagsOf(html)).not.toMatch(dangerous);
});

test('tags are shown as they were written', () => {
  expect(renderedText('a <b>c</b>')).toContain('a &lt;b&gt;c&lt;/b&gt;');
});

const many = 10_000;
const longest = 50_000;
const monsters: readonly (readonly [string, string])[] = [
  ['nested lists', `${'- '.repeat(many)}x`],
  ['nested numbered lists', `${'1. '.repeat(many)}x`],
  ['nested quotes', `${'>'.repeat(many)}x`],
  ['lists nested by indentation', nestedByIndentation(200)],
  ['many nested lists', `${'- '.repeat(60)}x\n`.repeat(400)],
  ['nested emphasis', '*a '.repeat(many) + '*'.repeat(many)],
  ['open brackets', '['.repeat(many)],
  ['open links', '[a]('.repeat(many)],
  ['pictures in pictures', '!['.repeat(many)],
  ['a long word', 'a'.repeat(longest)],
  ['a long line of words', 'a '.repeat(longest / 2)],
  ['an unclosed fence', `\`\`\`\n${'x\n'.repeat(many)}`],
  ['an unclosed formula', `$$\n${'x\n'.repeat(many)}`],
  ['dollars that open nothing', '$a '.repeat(many)],
  ['nothing but dollars', '$'.repeat(longest)],
  ['a long formula', `$${'x'.repeat(longest)}$`],
  ['a deep formula', `$${'{'.repeat(2400)}x${'}'.repeat(2400)}$`],
  ['a formula that grows', String.raw`$\def\a{\a\a}\a$`],
  ['a large box', String.raw`$\rule{99999em}{99999em}$`],
  ['a wide table', `${'|a'.repeat(many)}|\n${'|-'.repeat(many)}|\n${'|b'.repeat(many)}|`],
  [
    'tables that fill up short rows',
    `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${'|b\n'.repeat(many)}`,
  ],
  ['open braces', '{{'.repeat(longest / 2)],
  ['malformed references', '{{x}} '.repeat(2000)],
];

function nestedByIndentation(depth: number): string {
  return Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- x`).join('\n');
}

/** Cells that the parser adds to short rows of a table. */
const mostAddedCells = 65_536;

// Work is counted, not timed: what comes out is bounded by what came in.
test.each(monsters)('%s: tokens are bounded by characters, and it renders', (_, source) => {
  const tokens = markdownTokens(source);
  const inner = tokens.reduce((sum, { children }) => sum + (children?.length ?? 0), 0);
  expect(tokens.length + inner).toBeLessThanOrEqual(2 * source.length + 4 * mostAddedCells);
  expect(depthOf(tokens)).toBeLessThanOrEqual(130);
  expect(renderedText(source).length).toBeGreaterThan(0);
});

function depthOf(tokens: ReturnType<typeof markdownTokens>): number {
  return tokens.reduce(
    (depth, { level, children }) => Math.max(depth, level, depthOf(children ?? [])),
    0,
  );
}

test('what is nested too deeply stands there as written', () => {
  const html = renderedText(`${'- '.repeat(many)}the end`);
  expect(html).toContain('the end');
});

test('a box grows no further than the limit', () => {
  const html = renderedText(String.raw`$\rule{99999em}{99999em}$`);
  expect(html).not.toContain('99999em;');
  expect(html).toContain('20em');
});

test('whatever is written, nothing throws and nothing dangerous comes out', () => {
  const signs = [
    '\n',
    '\n\n',
    '  ',
    '- ',
    '> ',
    '#',
    '|',
    '`',
    '```',
    '$',
    '$$',
    '*',
    '_',
    '[',
    ']',
  ];
  const more = ['(', ')', '\\', '{{e1.global.spikes}}', '{{', '}}', '<', '&', '\uE000', 'x', '1.'];
  const piece = fc.constantFrom(...attacks, ...signs, ...more);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      expect(tagsOf(renderedText(pieces.join('')))).not.toMatch(dangerous);
    }),
    { numRuns: 150 },
  );
});
