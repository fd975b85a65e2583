import { expect, test } from 'vitest';
import { defaultLosses, defaultSpec } from './defaults';
import { applyOverrides, differencesOf, replicasOf, unknownOverridePaths } from './overrides';
import { parseTraining, trainingOf } from './parseTraining';
import { presets } from './presets';

const { spec } = presets['route-search-answer'];

test('an override replaces one setting of a copy', () => {
  const before = structuredClone(spec);
  const data = applyOverrides(spec, { 'estimator.scope': 'taskAgent', 'loss.dualClip': null });
  expect(data).toEqual({
    ...trainingOf(spec),
    estimator: { ...spec.estimator, scope: 'taskAgent' },
    loss: { ...spec.loss, dualClip: null },
  });
  expect(spec).toEqual(before);
});

test.each([
  'estimator', // a group of settings
  'estimator.nothing',
  'iterations', // the same for all arms
  'seeds.0',
  '__proto__.polluted',
  'constructor.prototype.polluted',
  'policies.__proto__.polluted',
  'policies.nobody.optimizer.kind',
  '',
])('an override of "%s" is refused by name', (path) => {
  expect(unknownOverridePaths(spec, { [path]: 1 })).toEqual([path]);
  expect(() => applyOverrides(spec, { [path]: 1 })).toThrow(RangeError);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test('another optimizer brings its settings first, whatever the order of the overrides', () => {
  const data = applyOverrides(spec, {
    'policies.search.optimizer.momentum': 0.9,
    'policies.search.optimizer.kind': 'sgd',
  });
  const parsed = parseTraining(data);
  expect(parsed.ok && parsed.training.policies['search']?.optimizer).toEqual({
    kind: 'sgd',
    learningRate: 0.1,
    momentum: 0.9,
    maxGradNorm: null,
  });
  expect(unknownOverridePaths(spec, { 'policies.search.optimizer.momentum': 0.9 })).toHaveLength(1);
});

test('the kind that is set already keeps its settings', () => {
  const data = applyOverrides(spec, { 'environment.kind': 'routeSearchAnswer' });
  expect(data).toEqual(trainingOf(spec));
});

test('another world brings its agents and gives them the existing policies in order', () => {
  const data = applyOverrides(spec, {
    'environment.kind': 'solveVerify',
    'environment.modulus': 7,
  });
  expect(data).toMatchObject({
    environment: { kind: 'solveVerify', modulus: 7, maxRounds: 2 },
    agents: { solver: { policy: 'router' }, verifier: { policy: 'search' } },
  });
  expect(parseTraining(data).ok).toBe(true);
  // Three agents over two policies: the last policy serves twice.
  const back = applyOverrides(presets['solve-verify'].spec, {
    'environment.kind': 'routeSearchAnswer',
  });
  expect(back['agents']).toEqual({
    router: { policy: 'solver' },
    search: { policy: 'verifier' },
    answer: { policy: 'verifier' },
  });
});

test('replicas are numbered seed by seed, arm by arm', () => {
  const replicas = replicasOf({ ...spec, seeds: [7, 3] });
  expect(replicas.map(({ index, arm, seed }) => [index, arm, seed])).toEqual([
    [0, 'global', 7],
    [1, 'global', 3],
    [2, 'globalStep', 7],
    [3, 'globalStep', 3],
    [4, 'agentWise', 7],
    [5, 'agentWise', 3],
  ]);
  expect(replicas[0]?.training).toEqual(trainingOf(spec));
  expect(replicas[5]?.training.estimator).toEqual({
    ...spec.estimator,
    scope: 'taskAgent',
    unit: 'step',
  });
});

test('an arm that gives no valid training has no replicas, and the error says why', () => {
  const broken = { ...spec, arms: [{ name: 'wild', overrides: { 'loss.clipLow': 2 } }] };
  expect(() => replicasOf(broken)).toThrow(/Arm wild.*loss\.clipLow: 2 came.*from 0 to 1/);
});

test('differences are the settings that differ, and nothing else', () => {
  expect(differencesOf(spec, spec)).toEqual([]);
  const edited = {
    ...spec,
    seeds: [0, 1],
    loss: { ...spec.loss, dualClip: null },
    arms: spec.arms.slice(0, 2),
  };
  expect(differencesOf(edited, spec)).toEqual([
    { path: 'loss.dualClip', from: 3, to: null },
    { path: 'arms.2.name', from: 'agentWise', to: undefined },
    { path: 'arms.2.overrides.estimator.scope', from: 'taskAgent', to: undefined },
    { path: 'arms.2.overrides.estimator.unit', from: 'step', to: undefined },
    { path: 'seeds', from: [0, 1, 2, 3, 4], to: [0, 1] },
  ]);
});

test('differences between two arms name the overridden settings', () => {
  const replicas = replicasOf({ ...spec, seeds: [0] });
  expect(differencesOf(replicas[2]!.training, replicas[0]!.training)).toEqual([
    { path: 'estimator.scope', from: 'task', to: 'taskAgent' },
    { path: 'estimator.unit', from: 'trajectory', to: 'step' },
  ]);
});

test('another loss brings its own settings and keeps what all losses have', () => {
  const tuned = {
    ...defaultSpec,
    loss: { ...defaultLosses.clip, entropyCoef: 0.02, clipHigh: 0.28 },
  };
  const changed = applyOverrides(tuned, { 'loss.kind': 'sapo', 'loss.tauNegative': 2 });
  expect(changed['loss']).toEqual({ ...defaultLosses.sapo, entropyCoef: 0.02, tauNegative: 2 });
});
