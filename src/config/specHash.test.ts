import { expect, test } from 'vitest';
import { presets } from './presets';
import { canonicalJson, fnv1a64, specHash } from './specHash';

// The published test vectors of FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/).
test.each([
  ['', 'cbf29ce484222325'],
  ['a', 'af63dc4c8601ec8c'],
  ['foobar', '85944171f73967e8'],
])('FNV-1a of "%s" is the published value', (text, hash) => {
  expect(fnv1a64(text)).toBe(hash);
});

const { spec } = presets['solve-verify'];

test('the order of keys does not change the hash', () => {
  const { version, title, ...rest } = spec;
  const moved = { ...rest, title, version };
  expect(JSON.stringify(moved)).not.toBe(JSON.stringify(spec));
  expect(specHash(moved)).toBe(specHash(spec));
  const { solver, verifier } = spec.agents;
  const agents = { verifier: verifier!, solver: solver! };
  expect(specHash({ ...spec, agents })).toBe(specHash(spec));
});

test('one changed setting, and the order of seeds, change the hash', () => {
  const others = [
    { ...spec, iterations: spec.iterations + 1 },
    { ...spec, seeds: spec.seeds.toReversed() },
    { ...spec, loss: { ...spec.loss, dualClip: null } },
    { ...spec, diagnostics: { ...spec.diagnostics, gradientConflict: true } },
    { ...spec, diagnostics: { ...spec.diagnostics, every: 2 } },
    { ...spec, diagnostics: { ...spec.diagnostics, blame: 'occlusion' } },
  ];
  expect(new Set([spec, ...others].map(specHash)).size).toBe(7);
});

test('a document from before a diagnostic existed keeps its name once it says that it is off', () => {
  const { diagnostics, ...older } = spec;
  const { blame, ...before } = diagnostics;
  expect(blame).toBe('off');
  expect(specHash({ ...older, diagnostics: before })).toBe(specHash(spec));
  expect(specHash(older)).toBe(specHash(spec));
  const measured = { ...before, gradientConflict: true };
  const name = specHash({ ...older, diagnostics: measured });
  expect(specHash({ ...older, diagnostics: { ...measured, blame } })).toBe(name);
  expect(specHash({ ...older, diagnostics: { ...measured, blame: 'gradNorm' } })).not.toBe(name);
  // As it was computed before there was a blame to leave out.
  expect(name).toBe(fnv1a64(canonicalJson({ ...older, diagnostics: measured })));
});
