import fc from 'fast-check';
import { expect, test } from 'vitest';
import { citedExperiments, parseText } from './liveText';

const value = '{{e1.global.spikes}}';
const kindsOf = (text: string): string[] => parseText(text).map(({ kind }) => kind);

test('a text is cut where its values stand', () => {
  expect(parseText(`Spikes: ${value} in all.`)).toEqual([
    { kind: 'literal', source: 'Spikes: ' },
    {
      kind: 'reference',
      source: value,
      reference: { kind: 'arm', experiment: 'e1', arm: 'global', statistic: 'spikes' },
    },
    { kind: 'literal', source: ' in all.' },
  ]);
});

test('five names cite a metric of an agent', () => {
  expect(parseText('{{ e1.global.router.gradNorm.peak }}')).toMatchObject([
    {
      kind: 'reference',
      reference: {
        kind: 'metric',
        experiment: 'e1',
        arm: 'global',
        agent: 'router',
        metric: 'gradNorm',
        statistic: 'peak',
      },
    },
  ]);
});

test.each([
  ['a code span', `\`${value}\``],
  ['a code span with longer ticks', `\`\`a \` ${value}\`\``],
  ['a code span over two lines', `\`a\n${value}\``],
  ['a fenced block', `a\n\`\`\`js\n${value}\n\`\`\``],
  ['a fenced block of tildes', `~~~\n${value}\n~~~`],
  ['an indented fence', `   \`\`\`\n${value}\n   \`\`\`\``],
  ['a fence that is never closed', `\`\`\`\n${value}\n\n${value}`],
  ['a fence that shorter ticks do not close', `\`\`\`\`\n\`\`\`\n${value}\n\`\`\`\``],
  ['escaped braces', `\\${value}`],
  ['braces that do not close on their line', '{{e1.global\n.spikes}}'],
  ['braces that do not close', '{{e1.global.spikes}'],
  ['one brace', '{e1.global.spikes}'],
])('%s stays literal', (_, text) => {
  expect(parseText(text)).toEqual([{ kind: 'literal', source: text }]);
});

test.each([
  ['a tick without a partner', `\` ${value}`],
  ['ticks of different length', `\`\` ${value} \``],
  ['a partner in the next paragraph', `\` ${value}\n\n\``],
  ['a partner in the next paragraph of a file with CRLF', `\` ${value}\r\n\r\n\``],
  ['an escaped tick', `\\\` ${value} \``],
  ['an escaped backslash', `\\\\${value}`],
  ['three ticks with a tick on their line', `\`\`\` a\` ${value}`],
])('%s does not hide a value', (_, text) => {
  expect(kindsOf(text)).toContain('reference');
});

test('values after code are seen again', () => {
  expect(kindsOf(`\`a\` ${value}`)).toEqual(['literal', 'reference']);
  expect(kindsOf(`\`\`\`\na\n\`\`\`\n${value}`)).toEqual(['literal', 'reference']);
  expect(kindsOf(`\`\`\`\r\na\r\n\`\`\`\r\n${value}`)).toEqual(['literal', 'reference']);
});

test('a third brace is a literal one', () => {
  expect(parseText(`{${value}}`).map(({ source }) => source)).toEqual(['{', value, '}']);
});

test.each([
  ['', /"" is no name/],
  ['e1', /One name came: expected experiment.arm.statistic or/],
  ['e1.a.b.c', /4 names came/],
  ['e1..spikes', /"" is no name/],
  ['e1.global.spike', /none of the statistics .* nearest is spikes/],
  ['e1.global.router.gradnorm.peak', /no metric, the nearest is gradNorm$/],
  ['e1.global.router.__proto__.peak', /"__proto__" is no name/],
  ['e1.global.router.gradNorm.max', /none of the statistics last, best, peak/],
  ['e1.global.router.success.last', /measured once for the team: write team in place of router/],
  ['e1.global.team.gradNorm.last', /measured for each agent/],
  ['x-y.global.spikes', /"x-y" is no name/],
])('{{%s}} is malformed, and says what was expected', (inside, message) => {
  const [part] = parseText(`{{${inside}}}`);
  expect(part).toEqual({
    kind: 'malformed',
    source: `{{${inside}}}`,
    message: expect.stringMatching(message),
  });
});

test('each experiment is cited once', () => {
  expect(citedExperiments(`${value} {{e2.a.seeds}} ${value} \`{{e3.a.seeds}}\` {{e4}}`)).toEqual([
    'e1',
    'e2',
  ]);
});

test('the pieces of any text are the text', () => {
  const piece = fc.constantFrom(
    value,
    '{',
    '{{',
    '}}',
    '`',
    '``',
    '```',
    '~~~',
    '\\',
    '\n',
    '\n\n',
    'a',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const parts = parseText(text);
      expect(parts.map(({ source }) => source).join('')).toBe(text);
      expect(parts.every(({ source }) => source !== '')).toBe(true);
    }),
  );
});

test.each([
  ['ticks', '`'.repeat(50_000)],
  ['spans', '`a'.repeat(25_000)],
  ['ticks of every length', Array.from({ length: 310 }, (_, i) => '`'.repeat(i + 1)).join(' ')],
  ['braces', '{'.repeat(50_000)],
  ['blank lines', '` \n'.repeat(16_000)],
  ['fences', '```\n~~~\n'.repeat(6_000)],
])('the longest text of %s is read at once', (_, text) => {
  const started = performance.now();
  expect(parseText(text).length).toBeGreaterThan(0);
  expect(performance.now() - started).toBeLessThan(1000);
});
