import { expect, test } from 'vitest';
import type { PlainObject } from './dataPath';
import { withValue } from './formFields';
import { parseSpec, type SpecIssue } from './parseSpec';
import { presets } from './presets';

const { spec } = presets['route-search-answer'];

function issuesOf(data: unknown): readonly SpecIssue[] {
  const parsed = parseSpec(data);
  return parsed.ok ? [] : parsed.issues;
}

function pathsOf(data: unknown): string[] {
  return issuesOf(data).map(({ path }) => path);
}

/** The specification with extra own keys in one of its groups of settings, as JSON would bring them. */
function withJson(find: string, replacement: string): unknown {
  const text = JSON.stringify(spec);
  expect(text).toContain(find);
  return JSON.parse(text.replace(find, replacement));
}

function withArm(overrides: PlainObject): PlainObject {
  return { ...spec, arms: [spec.arms[0], { name: 'other', overrides }] };
}

test('the result is a copy that shares nothing with what came', () => {
  const data = structuredClone(spec);
  const parsed = parseSpec(data);
  expect(parsed).toEqual({ ok: true, spec });
  data.seeds.push(99);
  data.loss.entropyCoef = 1;
  expect(parsed).toEqual({ ok: true, spec });
});

test('minus zero becomes zero, which a link can tell', () => {
  const parsed = parseSpec(withValue(spec, 'loss.entropyCoef', -0));
  expect(parsed.ok && Object.is(parsed.spec.loss.entropyCoef, 0)).toBe(true);
});

test.each([
  [-7, '-7 came, expected a whole number from 1 to 1024 (rollouts). The nearest is 1.'],
  [2.5, '2.5 came, expected a whole number from 1 to 1024 (rollouts). The nearest is 3.'],
  [
    JSON.parse('1e999'),
    'Infinity came, expected a whole number from 1 to 1024 (rollouts). The nearest is 1024.',
  ],
  [NaN, 'NaN came, expected a whole number from 1 to 1024 (rollouts).'],
  ['32', '"32" came, expected a whole number from 1 to 1024 (rollouts).'],
  [null, 'null came, expected a whole number from 1 to 1024 (rollouts).'],
  [[32], 'A list of 1 came, expected a whole number from 1 to 1024 (rollouts).'],
  [{}, 'A group of settings came, expected a whole number from 1 to 1024 (rollouts).'],
  [32n, 'A bigint came, expected a whole number from 1 to 1024 (rollouts).'],
])('group size %s is refused with its range, its unit and the nearest value', (value, message) => {
  const data = { ...spec, groups: { ...spec.groups, groupSize: value } };
  expect(issuesOf(data)).toEqual([{ path: 'groups.groupSize', message }]);
});

test.each([
  ['loss.dualClip', 0, '0 came, expected a number from 1 to 100, or null (off). The nearest is 1.'],
  ['evaluation.greedy', 1, '1 came, expected true or false.'],
  ['estimator.ddof', 2, '2 came, expected one of 0, 1.'],
  ['estimator.center', 'median', '"median" came, expected one of mean, leaveOneOut, max, none.'],
  [
    'environment.kind',
    'maze',
    '"maze" came, expected one of routeSearchAnswer, solveVerify, planExecute.',
  ],
  ['policies.router.optimizer.kind', 'lion', '"lion" came, expected one of adamw, sgd.'],
  ['agents.search.policy', '', '"" came, expected the name of a policy.'],
  [
    'policies.router.optimizer.learningRate',
    11,
    '11 came, expected a number from 0 to 10. The nearest is 10.',
  ],
  ['title', 'x'.repeat(121), `"${'x'.repeat(40)}…" came, expected 120 or fewer characters.`],
  ['seeds', [], 'A list of 0 came, expected 1 or more entries.'],
  ['seeds.1', -1, '-1 came, expected 0 or more.'],
  ['version', 2, '2 came, expected 1. Open it with the version of Marlbook that wrote it.'],
  ['arms', null, 'null came, expected a list.'],
])('%s = %j is refused in words', (path, value, message) => {
  expect(issuesOf(withValue(spec, path, value))).toEqual([{ path, message }]);
});

test.each([
  [undefined, 'Nothing came, expected a group of settings (an object).'],
  [null, 'null came, expected a group of settings (an object).'],
  ['{}', '"{}" came, expected a group of settings (an object).'],
  [[], 'A list of 0 came, expected a group of settings (an object).'],
  [new Date(0), 'A special object came, expected plain data as in JSON.'],
])('a document that is %s is refused as a whole', (data, message) => {
  expect(issuesOf(data)).toEqual([{ path: '', message }]);
});

test('a missing setting is named', () => {
  const { backend, ...rest } = spec;
  expect(backend).toBe('auto');
  expect(issuesOf(rest)).toEqual([
    { path: 'backend', message: 'Nothing came, expected one of auto, webgpu, wasm, cpu.' },
  ]);
});

test.each([
  ['"loss":{', '"loss":{"temperature":1,', 'loss.temperature'],
  ['"version":1', '"version":1,"batchSize":-7', 'batchSize'],
  ['"kind":"routeSearchAnswer"', '"kind":"routeSearchAnswer","modulus":7', 'environment.modulus'],
  ['"kind":"adamw"', '"kind":"adamw","momentum":0', 'policies.router.optimizer.momentum'],
  ['"name":"global"', '"name":"global","color":"red"', 'arms.0.color'],
])('an unknown key is refused with its path: %s → %s', (find, replacement, path) => {
  expect(issuesOf(withJson(find, replacement))).toEqual([
    { path, message: 'Not a setting here: remove it, or check its spelling.' },
  ]);
});

test.each([
  ['"loss":{', '"loss":{"__proto__":{"polluted":1},', 'loss.__proto__'],
  ['"version":1', '"version":1,"__proto__":{"polluted":1}', '__proto__'],
  ['"policies":{', '"policies":{"__proto__":{"polluted":1},', 'policies.__proto__'],
  ['"policies":{', '"policies":{"constructor":{"polluted":1},', 'policies.constructor'],
  ['"agents":{', '"agents":{"prototype":{"policy":"router"},', 'agents.prototype'],
  ['"overrides":{}', '"overrides":{"__proto__":1}', 'arms.0.overrides.__proto__'],
])('a reserved key is refused with its path: %s → %s', (find, replacement, path) => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  expect(pathsOf(withJson(find, replacement))).toEqual([path]);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test.each(['Router', '1st', 'a.b', 'toString', 'hasOwnProperty', 'x'.repeat(33), ''])(
  'a policy cannot be called "%s"',
  (name) => {
    const data = { ...spec, policies: { ...spec.policies, [name]: spec.policies['router'] } };
    expect(issuesOf(data)).toEqual([
      { path: `policies.${name}`, message: expect.stringMatching(/^Not a possible name: /) },
    ]);
  },
);

test('nesting without end is refused, not followed', () => {
  const loop: Record<string, unknown> = { ...spec };
  loop['loss'] = loop;
  expect(pathsOf(loop)[0]).toMatch(/^loss\.loss\./);
});

test('a document wrong in a thousand places is answered with fifty issues and a count', () => {
  const extra = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key${i}`, i]));
  const issues = issuesOf({ ...spec, ...extra });
  expect(issues).toHaveLength(51);
  expect(issues.at(-1)).toEqual({ path: '', message: 'And 950 more issues.' });
});

test('heads that do not fit the width are refused', () => {
  // 32 / 3 is not whole; 4 key-value heads do not divide 3
  const data = withValue(spec, 'policies.router.architecture.numHeads', 3);
  expect(pathsOf(data)).toEqual([
    'policies.router.architecture.numHeads',
    'policies.router.architecture.numKeyValueHeads',
  ]);
});

test('the agents are exactly those of the world', () => {
  const { router, search } = spec.agents;
  const { router: policy } = spec.policies;
  const missing = {
    ...spec,
    agents: { router, search },
    policies: { router: policy, search: policy },
  };
  expect(pathsOf(missing)).toEqual(['agents.answer']);
  const extra = { ...spec, agents: { ...spec.agents, critic: { policy: 'router' } } };
  expect(issuesOf(extra)).toEqual([
    {
      path: 'agents.critic',
      message:
        'No such agent: the agents of the world routeSearchAnswer are router, search, answer. Remove it, or change the world.',
    },
  ]);
});

test('every agent names a policy that exists', () => {
  expect(issuesOf(withValue(spec, 'agents.search.policy', 'oracle'))).toEqual([
    {
      path: 'agents.search.policy',
      message:
        '"oracle" came, expected one of the policies (router, search, answer): choose one, or add it under policies.',
    },
  ]);
});

test('a policy without an agent is refused, unless an arm uses it', () => {
  const shared = withValue(spec, 'agents.search.policy', 'router');
  expect(pathsOf(shared)).toEqual(['policies.search']);
  const arms = [
    { name: 'shared', overrides: {} },
    { name: 'separate', overrides: { 'agents.search.policy': 'search' } },
  ];
  expect(parseSpec({ ...shared, arms }).ok).toBe(true);
});

test('arms have different names', () => {
  const arms = [...spec.arms, { name: 'global', overrides: {} }];
  expect(issuesOf({ ...spec, arms })).toEqual([
    {
      path: 'arms.3.name',
      message: '"global" came twice (also in arms.0): every one must be different.',
    },
  ]);
});

test('seeds are different', () => {
  expect(pathsOf({ ...spec, seeds: [4, 5, 4] })).toEqual(['seeds.2']);
});

function firstSeeds(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

test('arms × seeds is at most 64', () => {
  // 3 arms: 3 × 21 = 63 runs, 3 × 22 = 66
  expect(parseSpec({ ...spec, seeds: firstSeeds(21) }).ok).toBe(true);
  expect(pathsOf({ ...spec, seeds: firstSeeds(22) })).toEqual(['seeds']);
});

function withGroups(tasksPerIteration: number, groupSize: number): PlainObject {
  return { ...spec, groups: { ...spec.groups, tasksPerIteration, groupSize } };
}

test('tasks × group size is at most 65,536, in the base and in every arm', () => {
  // 64 × 1024 = 65,536
  expect(parseSpec(withGroups(64, 1024)).ok).toBe(true);
  expect(pathsOf(withGroups(65, 1024))).toEqual(['groups']);
  // 16 tasks × 1024 fit, 1024 tasks × 1024 do not
  expect(parseSpec(withArm({ 'groups.groupSize': 1024 })).ok).toBe(true);
  expect(pathsOf(withArm({ 'groups.groupSize': 1024, 'groups.tasksPerIteration': 1024 }))).toEqual([
    'arms.1.overrides',
  ]);
});

test('a run shorter than its evaluation interval is valid: the last iteration is always evaluated', () => {
  expect(spec.evaluation.every).toBeGreaterThan(3);
  expect(parseSpec({ ...spec, iterations: 3 }).ok).toBe(true);
});

test.each([
  ['estimator.nothing', 1, /^No such setting/],
  ['estimator', 'task', /^A group of settings/],
  ['iterations', 5, /^The same for all arms/],
  ['estimator.scope', 'team', /^"team" came, expected one of task, taskAgent,/],
  ['policies.search.optimizer.momentum', 0.5, /^No such setting/],
  ['agents.search.policy', 'oracle', /^"oracle" came, expected one of the policies/],
  ['loss.clipLow', Infinity, /^Infinity came, expected a finite number/],
])('an arm cannot override %s by %j', (path, value, message) => {
  expect(issuesOf(withArm({ [path]: value }))).toEqual([
    { path: `arms.1.overrides.${path}`, message: expect.stringMatching(message) },
  ]);
});

test('an override that breaks another setting is refused at the arm', () => {
  // 30 / 4 heads is not whole; the heads themselves are not overridden
  const data = withArm({ 'policies.router.architecture.hiddenSize': 30 });
  expect(issuesOf(data)).toEqual([
    {
      path: 'arms.1.overrides',
      message: expect.stringMatching(
        /^With these overrides, policies\.router\.architecture\.numHeads: /,
      ),
    },
  ]);
});

test('an arm that chooses another kind cannot keep what only the kind of the base has', () => {
  expect(
    issuesOf(withArm({ 'estimator.kind': 'movingBaseline', 'estimator.scope': 'task' })),
  ).toEqual([
    {
      path: 'arms.1.overrides.estimator.scope',
      message: expect.stringMatching(/^No such setting with the kinds chosen here/),
    },
  ]);
});

test('arms may switch optimizer and world', () => {
  expect(parseSpec(withArm({ 'policies.search.optimizer.kind': 'sgd' })).ok).toBe(true);
  expect(parseSpec(withArm({ 'environment.kind': 'solveVerify' })).ok).toBe(true);
});
