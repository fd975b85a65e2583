import { expect, test } from 'vitest';
import fc from 'fast-check';
import { parseReference } from '../../notebook/liveReference';
import { unresolved } from '../../notebook/liveValues';
import { sampleNotebook } from '../../notebook/testing/sampleNotebook';
import { completionsAt, withCompletion } from './completions';

const notebook = sampleNotebook();

/** Names offered where `|` stands; null outside of a reference. */
function offered(text: string): readonly string[] | null {
  const caret = text.indexOf('|');
  const found = completionsAt(text.replace('|', ''), caret, notebook);
  return found?.options.map(({ name }) => name) ?? null;
}

test.each([
  ['{{|', ['e1', 'e2']],
  ['a {{ |', ['e1', 'e2']],
  ['{{e2|', ['e2']],
  ['{{e1.|', ['global', 'globalStep', 'agentWise']],
  ['{{e1.ag|', ['agentWise']],
  [
    '{{e1.global.|',
    ['seeds', 'iterations', 'collapsed', 'spikes', 'team', 'router', 'search', 'answer'],
  ],
  // What begins so comes first, then what holds it.
  ['{{e1.global.se|', ['seeds', 'search', 'collapsed']],
  ['{{e1.global.router.gradNormM|', ['gradNormMax']],
  ['{{e1.global.team.succ|', ['success', 'evalSuccess']],
  ['{{e1.global.team.success.|', ['last', 'best', 'peak', 'spikes', 'iqm']],
])('%s offers %j', (text, names) => {
  expect(offered(text)).toEqual(names);
});

test.each([
  '|',
  'a|',
  '{|',
  '\\{{|',
  '{{e1.global.spikes}}|',
  '{{\n|',
  '{{e9.|',
  '{{e1.global.zzz|',
  '{{e1.global.team.success.last.|',
  '{{e1.global.team.nothing.|',
])('%j offers nothing', (text) => {
  expect(offered(text)).toBeNull();
});

/** The text after taking the first name offered where `|` stands, with the caret. */
function taken(text: string): string {
  const caret = text.indexOf('|');
  const source = text.replace('|', '');
  const found = completionsAt(source, caret, notebook)!;
  const next = withCompletion(source, found, found.options[0]!);
  return `${next.source.slice(0, next.caret)}|${next.source.slice(next.caret)}`;
}

test.each([
  ['{{e2|', '{{e2.|'],
  ['a {{e1.glo| b', 'a {{e1.global.| b'],
  ['{{e1.global.sp|', '{{e1.global.spikes}}|'],
  ['{{e1.global.sp|}} b', '{{e1.global.spikes}}| b'],
  // The rest of the name under the caret goes, what follows stays.
  ['{{e1.ag|entX.spikes}}', '{{e1.agentWise.|spikes}}'],
])('%s becomes %s', (before, after) => {
  expect(taken(before)).toBe(after);
});

test('taking any completions one after another ends in a reference that leads somewhere', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (picks) => {
      let [source, caret] = ['{{', 2];
      for (const pick of picks) {
        const found = completionsAt(source, caret, notebook);
        if (found === null) break;
        ({ source, caret } = withCompletion(
          source,
          found,
          found.options[pick % found.options.length]!,
        ));
      }
      const parsed = parseReference(/^\{\{(.*)\}\}$/.exec(source)?.[1] ?? '');
      expect(parsed.ok && unresolved(notebook, parsed.reference)).toBeNull();
    }),
  );
});
