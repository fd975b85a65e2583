import { describe, expect, test } from 'vitest';
import { liveAs, renderedText } from './testing/renderedText';

const text = (html: string): string => html.replaceAll(/<[^>]*>/g, '');
const tex = (html: string): string =>
  /<annotation encoding="application\/x-tex">(.*?)<\/annotation>/s.exec(html)?.[1] ?? '';
const value = '{{e1.global.spikes}}';

describe('Markdown', () => {
  test('headings begin under the h1 of the page', () => {
    expect(renderedText('# One\n\n###### Six')).toContain('<h2>One</h2><h6>Six</h6>');
  });

  test('tables keep their alignment', () => {
    const html = renderedText('| a | b |\n|---|--:|\n| 1 | 2 |');
    expect(html).toContain('<td>1</td><td data-align="right">2</td>');
  });

  test('tight lists have no paragraphs, numbered ones begin where they say', () => {
    expect(renderedText('3. a\n4. b')).toContain('<ol start="3"><li>a</li><li>b</li></ol>');
  });

  test('links of the web open elsewhere and tell nobody where from', () => {
    expect(renderedText('[p](https://a.org "t")')).toContain(
      '<a href="https://a.org" title="t" target="_blank" rel="noopener noreferrer">p</a>',
    );
  });

  test('a picture is its description', () => {
    const html = renderedText('![a *plot*](https://a.org/x.png)');
    expect(html).not.toContain('<img');
    expect(html).not.toContain('a.org');
    expect(text(html)).toBe('[image: a *plot*]');
  });
});

describe('live values', () => {
  const span = /<span class="live-value" data-stale="false" title="[^"]+">4<\/span>/;

  test.each([
    ['a heading', `# N ${value}`, 'h2'],
    ['emphasis', `*${value}*`, 'em'],
    ['strong text inside a word', `a**${value}**b`, 'strong'],
    ['a table cell', `|a|\n|-|\n|${value}|`, 'td'],
    ['a list item', `- ${value}`, 'li'],
    ['a link text', `[${value}](https://a.org)`, 'a'],
    ['a quote', `> ${value}`, 'blockquote'],
  ])('stand in %s', (_, source, tag) => {
    const inside = new RegExp(`<${tag}[^>]*>(.*)</${tag}>`).exec(renderedText(source))?.[1];
    expect(inside).toMatch(span);
  });

  test('stand as written in code, code by indentation included', () => {
    expect(renderedText(`\`${value}\``)).toContain(`<code>${value}</code>`);
    expect(renderedText(`a\n\n    ${value}`)).toContain(`<code>${value}\n</code>`);
  });

  test('make no address: what would be a link stays text with its value', () => {
    const html = renderedText(`[x](https://a.org/${value})`);
    expect(html).not.toContain('<a');
    expect(text(html)).toBe('[x](https://a.org/4)');
    expect(renderedText(`[x](https://${value}.org)`)).not.toContain('<a');
  });

  test('keep their braces in the title of a link', () => {
    expect(renderedText(`[x](https://a.org "${value}")`)).toContain(`title="${value}"`);
  });

  test('say what they are, their unit, and that they are stale', () => {
    const html = renderedText(
      '{{e1.global.router.entropy.last}}',
      liveAs({ kind: 'value', value: 0.5 }, ['e1']),
    );
    expect(html).toContain('data-stale="true"');
    expect(html).toContain(
      'title="Entropy of router: last finite value, median over seeds, of arm global in experiment e1. Stale:',
    );
    expect(text(html)).toBe('0.500 nats per token (stale)');
  });

  test('are a dash while nothing was logged', () => {
    expect(text(renderedText(value, liveAs({ kind: 'noValue' })))).toBe('– (not logged yet)');
  });

  test('a problem is named in place, and Markdown in it means nothing', () => {
    const known = ['`*a*` | [x](https://a.org) $y$ {{e1.global.seeds}}\n\n# b'];
    const live = liveAs({ kind: 'unknown', place: 'arm', name: '**<b>**', known });
    const html = renderedText(`|a|b|\n|-|-|\n|${value}|c|`, live);
    expect(html).not.toMatch(/<(a|em|strong|h2|b)\b/);
    expect(html).toContain('<td>c</td>');
    expect(text(html)).toContain('is no arm here; the nearest is `*a*` | [x](https://a.org) $y$');
    expect(html).toContain(`<code>${value}</code>`);
  });

  test('malformed braces are a problem too', () => {
    expect(renderedText('{{e1}}')).toContain('class="live-problem"');
  });

  test('marks that an author writes or smuggles in as entities lead nowhere', () => {
    expect(text(renderedText('\uE0000\uE000'))).toBe('\uFFFD0\uFFFD');
    expect(text(renderedText('a &#xE000;99&#xE000; b'))).toBe('a  b');
  });
});

describe('formulas', () => {
  test('stand in a line or on a line of their own', () => {
    expect(renderedText('so $x^2$.')).toContain('class="formula-inline"');
    expect(renderedText('$$\nx\n$$')).toContain('class="formula-display"');
    expect(tex(renderedText('$$x_1$$'))).toBe('x_1');
    expect(tex(renderedText('> $$\n> x\n> y\n> $$'))).toBe('x\ny');
  });

  test('Markdown means nothing in them', () => {
    expect(tex(renderedText('$a_1 * b_2 * c$'))).toBe('a_1 * b_2 * c');
  });

  test.each(['$5 and $10', 'costs $5', String.raw`\$x\$`, '$ x$', 'a $$5', '$'])(
    '%s holds no formula',
    (source) => {
      expect(text(renderedText(source))).toBe(source.replaceAll('\\', ''));
    },
  );

  test('prices before a formula leave it whole', () => {
    const html = renderedText('$5 and $10, then $x$');
    expect(tex(html)).toBe('x');
    expect(text(html)).toMatch(/^\$5 and \$10, then /);
  });

  test('a dollar may stand in a formula behind a backslash', () => {
    expect(tex(renderedText(String.raw`$a \$ b$`))).toBe(String.raw`a \$ b`);
  });

  test('take live values as TeX', () => {
    expect(tex(renderedText(`$x^${value}$`))).toBe('x^{4}');
    const small = liveAs({ kind: 'value', value: -1.234e-7 });
    expect(tex(renderedText('${{e1.global.team.success.last}}$', small))).toBe(
      String.raw`{-1.23\times 10^{-7}}`,
    );
    expect(tex(renderedText(`$${value}$`, liveAs({ kind: 'noValue' })))).toBe(
      String.raw`{\text{–}}`,
    );
  });

  test('a problem stands beside the formula', () => {
    const live = liveAs({ kind: 'deleted', title: '$}\\href' });
    const html = renderedText(`$x = ${value}$`, live);
    expect(tex(html)).toBe(String.raw`x = {\text{?}}`);
    expect(html).toContain('class="live-problem"');
  });

  test('what KaTeX cannot read is shown in place with the reason', () => {
    const html = renderedText(String.raw`a $\frac{1$ b`);
    expect(html).toContain('class="live-problem"');
    expect(text(html)).toMatch(/^a .*frac.* b$/s);
  });
});
