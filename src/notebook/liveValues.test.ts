import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deleteCell } from './editing';
import type { LiveReference } from './liveReference';
import { liveParts, unresolved, type LivePart, type LookedUp } from './liveValues';
import type { Notebook } from './notebook';
import { edited, sampleNotebook } from './testing/sampleNotebook';

const sample = sampleNotebook();

/** As the page asks: first the notebook, then the runs, here one number for everything. */
function partsOf(
  text: string,
  found: LookedUp,
  { notebook = sample, stale = [] }: { notebook?: Notebook; stale?: readonly string[] } = {},
): readonly LivePart[] {
  const lookup = (reference: LiveReference): LookedUp => unresolved(notebook, reference) ?? found;
  return liveParts(text, { lookup, staleExperiments: new Set(stale) });
}

const valueOf = (value: number): LookedUp => ({ kind: 'value', value });
const textOf = (text: string, found: LookedUp): string =>
  partsOf(text, found)
    .map((part) => (part.kind === 'value' ? part.text : part.source))
    .join('');

test('a value stands in its sentence as the page prints numbers', () => {
  const text = 'It reaches {{e1.global.team.success.last}}.';
  expect(textOf(text, valueOf(0.93412))).toBe('It reaches 0.934.');
  expect(textOf(text, valueOf(-Infinity))).toBe('It reaches −∞.');
  expect(textOf('{{e1.global.router.gradNorm.peak}}', valueOf(12_345.6))).toBe('12,346');
});

test('counts have no decimals', () => {
  expect(textOf('{{e1.global.spikes}} spikes', valueOf(4))).toBe('4 spikes');
  expect(textOf('{{e1.global.router.gradNorm.spikes}}', valueOf(4))).toBe('4');
});

test('a value says its unit and whether its runs are stale', () => {
  const [value] = partsOf('{{e1.global.router.entropy.iqm}}', valueOf(0.5), { stale: ['e1'] });
  expect(value).toMatchObject({ text: '0.500', value: 0.5, unit: 'nats per token', isStale: true });
  const [other] = partsOf('{{e2.global.router.entropy.spikes}}', valueOf(2), { stale: ['e1'] });
  expect(other).toMatchObject({ text: '2', unit: '', isStale: false });
});

test('a value that was not logged yet is a dash', () => {
  expect(partsOf('{{e1.global.spikes}}', { kind: 'noValue' })).toMatchObject([
    { kind: 'value', text: '–', value: null },
  ]);
});

test.each([
  ['{{e9.global.spikes}}', '"e9" is no experiment here; the nearest is e1.'],
  ['{{intro.global.spikes}}', '"intro" is no experiment here; the nearest is e1.'],
  ['{{e1.globall.spikes}}', '"globall" is no arm here; the nearest is global.'],
  ['{{e1.global.serch.entropy.last}}', '"serch" is no agent here; the nearest is search.'],
  ['{{e1.global.router.entropi.last}}', '"entropi" is no metric, the nearest is entropy.'],
])('%s is shown as a problem with the nearest name', (text, message) => {
  expect(partsOf(text, valueOf(1))).toEqual([{ kind: 'problem', source: text, message }]);
});

test('a value of a deleted experiment says so', () => {
  const notebook = edited(deleteCell(sample, 'e1'));
  const [part] = partsOf('{{e1.global.spikes}}', valueOf(1), { notebook });
  expect(part).toMatchObject({
    kind: 'problem',
    message: 'The experiment e1 ("Route, search, answer") was deleted: cite another one, or undo.',
  });
});

test('a notebook without experiments has no name to offer', () => {
  const cells = sample.cells.slice(0, 1);
  const [part] = partsOf('{{e1.global.spikes}}', valueOf(1), { notebook: { ...sample, cells } });
  expect(part).toMatchObject({
    message: '"e1" is no experiment here; the notebook has no experiment.',
  });
});

test('no text throws, and its pieces are the text', () => {
  const name = fc.constantFrom(
    'e1',
    'global',
    'router',
    'team',
    'gradNorm',
    'success',
    'last',
    'x',
    '',
  );
  const reference = fc.array(name, { maxLength: 6 }).map((names) => `{{${names.join('.')}}}`);
  const text = fc
    .array(fc.oneof(reference, fc.string({ unit: 'binary' })))
    .map((all) => all.join(''));
  fc.assert(
    fc.property(text, fc.double(), (source, value) => {
      const parts = partsOf(source, valueOf(value));
      expect(parts.map((part) => part.source).join('')).toBe(source);
    }),
  );
});
