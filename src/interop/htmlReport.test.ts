import fc from 'fast-check';
import { expect, test } from 'vitest';
import { htmlReport, type HtmlReport } from './htmlReport';
import { fuzzRuns } from './testing/fuzzRuns';

const empty: HtmlReport = { title: 'A run', blocks: [], settings: [], fingerprint: [] };
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>';

/** A report with one text in every place that takes text. */
function everywhere(text: string): HtmlReport {
  return {
    title: text,
    blocks: [
      { kind: 'text', text },
      { kind: 'figure', svg, caption: text },
      { kind: 'table', caption: text, columns: [text], rows: [[text]] },
    ],
    settings: [[text, text]],
    fingerprint: [[text, text]],
  };
}

/** Tags of a page, in order, read by what HTML calls a tag: `<` and a letter, `/`, `!` or `?`. */
function tagsOf(html: string): readonly string[] {
  return html.match(/<[a-z/!?][^>]*>?/gi) ?? [];
}

/** The text of a page as a browser shows it: without tags, references resolved. */
function shownText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

const plainTags = tagsOf(htmlReport(everywhere('plain')));

test.each([
  '<script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '</style></svg></table><img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  "' onmouseover='alert(1)",
  '<!--',
  ']]>',
  '&lt;script&gt;',
  '&#60;script&#62;',
  '<?xml version="1.0"?>',
])('hostile text adds no tag and is shown as it is: %s', (text) => {
  const html = htmlReport(everywhere(text));
  expect(tagsOf(html)).toEqual(plainTags);
  // Title twice, one paragraph, two captions, a column and a cell, two settings, two of the fingerprint.
  expect(shownText(html).split(text).length - 1).toBe(11);
});

test('any text adds no tag', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      const withoutBreaks = text.replaceAll(/\s/g, 'x');
      const html = htmlReport(everywhere(withoutBreaks));
      expect(tagsOf(html)).toEqual(plainTags);
      // Nothing that UTF-8 or HTML cannot hold.
      expect(/(?![\n\t\r])[\p{Cc}\p{Surrogate}]/u.test(html)).toBe(false);
    }),
    fuzzRuns,
  );
});

test('the page runs and fetches nothing', () => {
  const html = htmlReport(everywhere('text'));
  expect(html).toContain("default-src 'none'");
  expect(html).not.toMatch(/<script|<link|<img|\ssrc=|@import|javascript:/i);
  // The only address is the namespace of the figure, which no browser opens.
  expect(html.match(/https?:[^"\s]*/g)).toEqual(['http://www.w3.org/2000/svg']);
});

test('paragraphs, rendered text, figures and tables stand in their order', () => {
  const html = htmlReport({
    ...empty,
    blocks: [
      { kind: 'text', text: 'one\n\ntwo' },
      { kind: 'html', html: '<p><strong>three</strong></p>' },
      { kind: 'figure', svg: `<?xml version="1.0"?>\n${svg}`, caption: 'four' },
      { kind: 'table', caption: 'five', columns: ['a', 'b'], rows: [['1', '2']] },
    ],
    settings: [['loss.clipLow', '0.2']],
    fingerprint: [['Device', 'cpu']],
  });
  const order = [
    '<p>one</p>\n<p>two</p>',
    '<p><strong>three</strong></p>',
    `<figure>\n${svg}\n<figcaption>four</figcaption>`,
    '<caption>five</caption>',
    '<th scope="col">a</th><th scope="col">b</th>',
    '<td>1</td><td>2</td>',
    '<th scope="row">loss.clipLow</th><td>0.2</td>',
    '<th scope="row">Device</th><td>cpu</td>',
  ].map((part) => html.indexOf(part));
  expect(order.every((at, i) => at > (order[i - 1] ?? 0))).toBe(true);
});

test.each([
  ['<svg><script>alert(1)</script></svg>', /<script>/],
  ['<svg onload="alert(1)"></svg>', /onload/],
  ['<svg></svg></figure><img src="x">', /closed out of order/],
  ['<svg></svg><svg></svg>', /second root/],
  ['<svg><!--><img src="x">--></svg>', /damaged tag/],
  ['<!DOCTYPE svg><svg></svg>', /DOCTYPE/],
  ['<p></p>', /No SVG/],
])('a figure that is not safe to look at is refused: %s', (figure, message) => {
  const blocks = [{ kind: 'figure', svg: figure, caption: '' } as const];
  expect(() => htmlReport({ ...empty, blocks })).toThrow(message);
});

test('a row that does not fit its table is a mistake of the caller', () => {
  const blocks = [{ kind: 'table', caption: 'c', columns: ['a'], rows: [['1', '2']] } as const];
  expect(() => htmlReport({ ...empty, blocks })).toThrow(/has 2 cells, expected 1/);
});
