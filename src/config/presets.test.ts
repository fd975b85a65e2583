import { expect, test } from 'vitest';
import { replicasOf } from './overrides';
import { parseSpec } from './parseSpec';
import { presets } from './presets';

const entries = Object.entries(presets);

test.each(entries)('%s is a valid specification', (_id, { spec }) => {
  expect(parseSpec(spec)).toEqual({ ok: true, spec });
});

test.each(entries)('%s is told in two sentences and promises no winner', (_id, preset) => {
  expect(preset.label).not.toBe('');
  const sentences = preset.description.replaceAll('Dr. MAS', 'the paper').match(/\.(?= |$)/g);
  expect(sentences).toHaveLength(2);
  expect(preset.description).not.toMatch(/\b(better than|outperforms|beats|wins)\b/i);
});

const estimators = ['global', 'globalStep', 'agentWise'];
const armsOf: Readonly<Record<string, readonly string[]>> = {
  'route-search-answer': estimators,
  'route-search-answer-weak': estimators,
  'route-search-answer-weakest': estimators,
  'solve-verify': estimators,
  'solve-verify-null': estimators,
  'plan-execute': ['mgrpo', 'frozenExecutor', 'singleAgent'],
  'stable-designs': ['cispo', 'sapo', 'grpo', 'sampo'],
  'stale-pipeline': ['fresh', 'stale', 'ratio', 'tis', 'vtrace'],
  critics: ['grpo', 'ippo', 'mappo', 'vdn'],
};

test.each(entries)('%s compares its arms on paired seeds', (id, { spec }) => {
  const replicas = replicasOf(spec);
  const arms = [...new Set(replicas.map(({ arm }) => arm))];
  expect(arms).toEqual(armsOf[id]);
  for (const arm of arms) {
    const seeds = replicas.filter((replica) => replica.arm === arm).map(({ seed }) => seed);
    expect(seeds).toEqual(spec.seeds);
  }
});

test('the weak start differs from the reference in its title and its start success only', () => {
  const { title, warmStart, ...rest } = presets['route-search-answer-weak'].spec;
  const reference = presets['route-search-answer'].spec;
  expect({ ...rest, title: reference.title, warmStart: reference.warmStart }).toEqual(reference);
  expect(title).not.toBe(reference.title);
  expect(warmStart).toEqual({ ...reference.warmStart, targetSuccess: 0.08 });
});
