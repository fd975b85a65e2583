import { expect, test } from 'vitest';
import { editablePaths, valueAt, withValue } from './formFields';
import { parseSpec } from './parseSpec';
import { presets } from './presets';

const { spec } = presets['route-search-answer'];

function sectionsOf(data: object): string[] {
  return [...new Set(editablePaths(data).map(({ section }) => section))];
}

test('the sections follow the team from the world to the run', () => {
  expect(sectionsOf(spec)).toEqual([
    'World',
    'Team',
    'Policy router',
    'Policy search',
    'Policy answer',
    'Estimator',
    'Loss',
    'Groups',
    'Pulses',
    'Failure tags',
    'Warm start',
    'Run',
    'Diagnostics',
  ]);
});

test.each(Object.entries(presets))('every control of %s has a value, and once', (_id, preset) => {
  const paths = editablePaths(preset.spec).map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.filter((path) => valueAt(preset.spec, path) === undefined)).toEqual([]);
});

test('settings of the other world and the other optimizer have no control', () => {
  const paths = new Set(editablePaths(spec).map(({ path }) => path));
  expect(paths.has('environment.numKeys')).toBe(true);
  expect(paths.has('environment.modulus')).toBe(false);
  expect(paths.has('policies.router.optimizer.beta1')).toBe(true);
  expect(paths.has('policies.router.optimizer.momentum')).toBe(false);
});

test('an agent chooses among the policies there are', () => {
  const control = editablePaths(spec).find(({ path }) => path === 'agents.search.policy');
  expect(control?.field).toMatchObject({
    kind: 'choice',
    options: { router: 'router', search: 'search', answer: 'answer' },
  });
});

test('valueAt reads own keys only', () => {
  expect(valueAt(spec, 'policies.router.architecture.hiddenSize')).toBe(32);
  expect(valueAt(spec, 'seeds.4')).toBe(4);
  expect(valueAt(spec, 'loss.dualClip.x')).toBeUndefined();
  for (const path of ['__proto__', 'constructor.name', 'seeds.length', 'title.length', ''])
    expect(valueAt(spec, path)).toBeUndefined();
});

test('withValue changes one setting of a copy', () => {
  const before = structuredClone(spec);
  const edited = withValue(spec, 'loss.dualClip', null);
  expect(edited).toEqual({ ...spec, loss: { ...spec.loss, dualClip: null } });
  expect(spec).toEqual(before);
  expect(withValue(spec, 'seeds.1', 9)['seeds']).toEqual([0, 9, 2, 3, 4]);
});

test.each(['loss.nothing', 'loss.clipLow.deeper', '__proto__.x', 'constructor.prototype.x', ''])(
  'withValue refuses %s, where nothing is',
  (path) => {
    expect(() => withValue(spec, path, 1)).toThrow(RangeError);
    expect(Reflect.get({}, 'x')).toBeUndefined();
  },
);

test('another optimizer brings its own settings and keeps the gradient clip', () => {
  const clipped = withValue(spec, 'policies.search.optimizer.maxGradNorm', 1);
  const edited = withValue(clipped, 'policies.search.optimizer.kind', 'sgd');
  expect(valueAt(edited, 'policies.search.optimizer')).toEqual({
    kind: 'sgd',
    learningRate: 0.1,
    momentum: 0,
    maxGradNorm: 1,
  });
  expect(parseSpec(edited).ok).toBe(true);
});

test('another world brings its agents, each with a policy copied in order, and leads back', () => {
  const wide = withValue(spec, 'policies.search.architecture.hiddenSize', 64);
  const solving = withValue(wide, 'environment.kind', 'solveVerify');
  expect(parseSpec(solving).ok).toBe(true);
  expect(solving['agents']).toEqual({
    solver: { policy: 'solver' },
    verifier: { policy: 'verifier' },
  });
  // search was the second agent, verifier is
  expect(valueAt(solving, 'policies.verifier.architecture.hiddenSize')).toBe(64);
  const routing = withValue(solving, 'environment.kind', 'routeSearchAnswer');
  expect(parseSpec(routing).ok).toBe(true);
  expect(Object.keys(routing['policies'] ?? {})).toEqual(['router', 'search', 'answer']);
});

test('a team that shares one policy shares it in another world', () => {
  const shared = {
    ...spec,
    agents: {
      router: { policy: 'router' },
      search: { policy: 'router' },
      answer: { policy: 'router' },
    },
    policies: { router: spec.policies['router'] },
  };
  const solving = withValue(shared, 'environment.kind', 'solveVerify');
  expect(parseSpec(solving).ok).toBe(true);
  expect(solving['agents']).toEqual({
    solver: { policy: 'router' },
    verifier: { policy: 'router' },
  });
});
