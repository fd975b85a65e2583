import { expect, test } from 'vitest';
import { presets } from '../config/presets';
import { encodeShareLink } from '../config/shareLink';
import { specFrom } from './loadSource';

const preset = presets['solve-verify-null'].spec;

test('a preset comes as it is', () => {
  expect(specFrom({ preset: 'solve-verify-null' })).toEqual({ ok: true, spec: preset });
});

test('an unknown preset names those there are', () => {
  const loaded = specFrom({ preset: 'no-such' });
  expect(loaded.ok ? '' : loaded.issues[0]?.message).toContain('solve-verify-null');
});

test('a link opens as a whole address and as its fragment alone', () => {
  const link = encodeShareLink(preset);
  const fragment = link.ok ? link.fragment : '';
  for (const address of [fragment, `https://example.org/book/${fragment}`])
    expect(specFrom({ link: address })).toEqual({ ok: true, spec: preset });
});

test('an adjustment replaces exactly what it names', () => {
  const [first] = preset.arms;
  const loaded = specFrom(
    { preset: 'solve-verify-null' },
    {
      set: { 'groups.groupSize': 4, 'evaluation.every': 3 },
      arms: [first?.name ?? ''],
      seeds: [7],
      iterations: 3,
      backend: 'wasm',
    },
  );
  expect(loaded).toEqual({
    ok: true,
    spec: {
      ...preset,
      groups: { ...preset.groups, groupSize: 4 },
      evaluation: { ...preset.evaluation, every: 3 },
      arms: [first],
      seeds: [7],
      iterations: 3,
      backend: 'wasm',
    },
  });
});

test('an adjustment is checked like a file', () => {
  const loaded = specFrom({ preset: 'solve-verify-null' }, { iterations: -1 });
  expect(loaded.ok ? [] : loaded.issues.map(({ path }) => path)).toContain('iterations');
});

test('a path that leads nowhere and an arm that does not exist are named', () => {
  const wrongPath = specFrom({ preset: 'solve-verify-null' }, { set: { 'loss.clipHgh': 1 } });
  expect(wrongPath.ok ? [] : wrongPath.issues.map(({ path }) => path)).toEqual(['loss.clipHgh']);
  const wrongArm = specFrom({ preset: 'solve-verify-null' }, { arms: ['nobody'] });
  expect(wrongArm.ok ? '' : wrongArm.issues[0]?.message).toContain('nobody came');
});
