import { expect, test } from 'vitest';
import { defaultEstimators, defaultLosses, defaultSpec } from './defaults';
import { withLaterSettings } from './migrate';
import { parseSpec } from './parseSpec';

const {
  kind: _kind,
  alignment: _alignment,
  alignTo: _alignTo,
  ...earlyEstimator
} = defaultEstimators.group;
const {
  pulses: _pulses,
  failureTags: _failureTags,
  diagnostics: _diagnostics,
  ...earlySpec
} = defaultSpec;

const early = {
  ...earlySpec,
  groups: { tasksPerIteration: 16, groupSize: 32 },
  estimator: earlyEstimator,
  policies: Object.fromEntries(
    Object.entries(defaultSpec.policies).map(([id, { isFrozen: _isFrozen, ...policy }]) => [
      id,
      policy,
    ]),
  ),
  loss: {
    clipLow: 0.2,
    clipHigh: 0.28,
    dualClip: null,
    entropyCoef: 0.01,
    aggregation: 'sequenceMean',
    numUpdateEpochs: 2,
  },
};

test('a document from before there was a choice of losses is the clipped surrogate it was, of policies that all learn', () => {
  const parsed = parseSpec(early);
  expect(parsed.ok && parsed.spec.loss).toEqual({
    ...defaultLosses.clip,
    clipHigh: 0.28,
    dualClip: null,
    entropyCoef: 0.01,
    aggregation: 'sequenceMean',
    numUpdateEpochs: 2,
  });
  expect(parsed.ok && parsed.spec.policies).toEqual(defaultSpec.policies);
  expect(parsed.ok && parsed.spec.estimator).toEqual(defaultSpec.estimator);
  expect(parsed.ok && parsed.spec.groups).toEqual(defaultSpec.groups);
  expect(parsed.ok && parsed.spec.pulses).toEqual({ kind: 'none' });
});

test('a document from before there were diagnostics measures nothing on top', () => {
  const { diagnostics, ...before } = defaultSpec;
  const parsed = parseSpec(before);
  expect(parsed).toEqual({ ok: true, spec: defaultSpec });
  const { counterfactualNorms, gradientConflict, gradientConcentration } = diagnostics;
  expect([counterfactualNorms, gradientConflict, gradientConcentration]).toEqual(
    Array.from({ length: 3 }, () => false),
  );
});

test('diagnostics from before anybody was blamed blame nobody, and are otherwise as they were', () => {
  const { blame: _blame, ...before } = { ...defaultSpec.diagnostics, gradientConflict: true };
  const parsed = parseSpec({ ...defaultSpec, diagnostics: { ...before, every: 3 } });
  expect(parsed.ok && parsed.spec.diagnostics).toEqual({
    ...defaultSpec.diagnostics,
    gradientConflict: true,
    every: 3,
  });
  const wrong = parseSpec({ ...defaultSpec, diagnostics: { ...before, blame: 'everybody' } });
  expect(!wrong.ok && wrong.issues.map(({ path }) => path)).toEqual(['diagnostics.blame']);
});

test('a document of today is left as it is, and so is what is no specification', () => {
  for (const data of [defaultSpec, null, 7, {}, { loss: 3 }, []])
    expect(withLaterSettings(data)).toBe(data);
});

test('what an early document has too much is still refused with its path', () => {
  const parsed = parseSpec({ ...early, loss: { ...early.loss, klCoef: 1 } });
  expect(!parsed.ok && parsed.issues.map(({ path }) => path)).toEqual(['loss.klCoef']);
});
