import { safeSvgTokens } from './safeSvg';

/** A notebook or a run as one HTML file that needs nothing else: no script, no font, no picture from elsewhere. */

export type ReportBlock =
  /** Escaped; an empty line begins a paragraph. */
  | { readonly kind: 'text'; readonly text: string }
  /** Already rendered and safe (the page’s Markdown renderer lets no HTML through). Stands as it is. */
  | { readonly kind: 'html'; readonly html: string }
  /** Must be safe to look at, see `safeSvg`. Two figures must not use the same ids. */
  | { readonly kind: 'figure'; readonly svg: string; readonly caption: string }
  /** Every row as long as `columns`. */
  | {
      readonly kind: 'table';
      readonly caption: string;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

export interface HtmlReport {
  readonly title: string;
  readonly blocks: readonly ReportBlock[];
  /** Name and value of each setting that the reader should see. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  /** When, with what and on what: name and value. */
  readonly fingerprint: readonly (readonly [name: string, value: string])[];
}

/** Even if something slipped through, a browser would run and fetch nothing. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
figure { margin: 1.5rem 0; overflow-x: auto; }
figcaption, caption { color: GrayText; font-size: 0.875rem; text-align: left; }
svg { max-width: 100%; height: auto; background: white; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid GrayText; padding: 0.2rem 0.8rem 0.2rem 0; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
`;

/** The file’s text. Throws RangeError for a figure that is not safe to look at, and for a row that does not fit its table. */
export function htmlReport({ title, blocks, settings, fingerprint }: HtmlReport): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${blocks.map(blockHtml).join('\n')}
</main>
${pairsHtml('Settings', settings)}
${pairsHtml('Made with', fingerprint)}
</body>
</html>
`;
}

/** Of text, and of attributes in double quotes. Characters that HTML cannot hold become U+FFFD. */
function escaped(text: string): string {
  return (
    text
      // Control characters besides tab and line ends are errors in HTML, and lone surrogates have no UTF-8.
      .replaceAll(/[\p{Cc}\p{Surrogate}]/gu, (character) =>
        /[\t\n\r]/.test(character) ? character : '\ufffd',
      )
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
  );
}

function blockHtml(block: ReportBlock): string {
  switch (block.kind) {
    case 'text':
      return block.text
        .split(/\n\s*\n/)
        .map((paragraph) => `<p>${escaped(paragraph.trim())}</p>`)
        .join('\n');
    case 'html':
      return block.html;
    case 'figure':
      return `<figure>\n${figureSvg(block.svg)}\n<figcaption>${escaped(block.caption)}</figcaption>\n</figure>`;
    case 'table':
      return tableHtml(block);
  }
}

function figureSvg(svg: string): string {
  const tokens = safeSvgTokens(svg);
  if (typeof tokens === 'string') throw new RangeError(`A figure cannot be in a report. ${tokens}`);
  // HTML has no XML declaration.
  return svg.replace(/^\s*<\?xml[^>]*\?>/i, '').trim();
}

function tableHtml({ caption, columns, rows }: Extract<ReportBlock, { kind: 'table' }>): string {
  const cells = (row: readonly string[]): string => {
    if (row.length !== columns.length)
      throw new RangeError(
        `A row of ${JSON.stringify(caption)} has ${row.length} cells, expected ${columns.length}: one for each column.`,
      );
    return row.map((cell) => `<td>${escaped(cell)}</td>`).join('');
  };
  return `<table>
<caption>${escaped(caption)}</caption>
<thead><tr>${columns.map((column) => `<th scope="col">${escaped(column)}</th>`).join('')}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n')}
</tbody>
</table>`;
}

function pairsHtml(heading: string, pairs: HtmlReport['settings']): string {
  const rows = pairs.map(
    ([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`,
  );
  return `<section>
<h2>${heading}</h2>
<table><tbody>
${rows.join('\n')}
</tbody></table>
</section>`;
}
