import { expect, test } from 'vitest';
import { numParametersOf } from '../agents/parameterViews';
import { createWorkflow } from '../envs/registry';
import {
  defaultEstimators,
  defaultFailureTags,
  defaultGroups,
  defaultLosses,
  defaultPolicy,
  defaultPulses,
} from './defaults';
import { effectNumber } from './effectNumber';
import type { WorldSizes } from './effectGiven';
import type { ExperimentSpec } from './experimentSpec';
import { fieldPathOf, fields } from './fields';
import { editablePaths, withValue, type FormField } from './formFields';
import { optionEffect } from './optionEffect';
import { parameterCount } from './parameterCount';
import { parseSpec } from './parseSpec';
import { presets } from './presets';

const base = presets['route-search-answer'].spec;

function worldOf({ environment }: ExperimentSpec): WorldSizes {
  const { vocabulary, maxPromptTokens, maxActionTokens } = createWorkflow(environment).spec;
  return { vocabularySize: vocabulary.length, maxPromptTokens, maxActionTokens };
}

function effectOf(spec: ExperimentSpec, path: string): string {
  return optionEffect(spec, path, worldOf(spec));
}

/** A specification with other values at some paths; null where it would be refused, and the page shows no effect. */
function accepted(
  changes: Readonly<Record<string, unknown>>,
  spec: ExperimentSpec,
): ExperimentSpec | null {
  const edited = Object.entries(changes).reduce<object>(
    (data, [path, value]) => withValue(data, path, value),
    spec,
  );
  const parsed = parseSpec(edited);
  return parsed.ok ? parsed.spec : null;
}

/** The same of one that has to be accepted. */
function changed(changes: Readonly<Record<string, unknown>>, spec = base): ExperimentSpec {
  const found = accepted(changes, spec);
  if (found === null) throw new Error(`${Object.keys(changes).join()} make no specification.`);
  return found;
}

/** What no reader may meet. */
const unfinished = /NaN|undefined|null|Infinity|\[object/;

/** Settings whose text is no sentence, or has a hole. */
function faultsIn(spec: ExperimentSpec, paths: readonly string[]): string[] {
  return paths
    .map((path) => `${path}: ${effectOf(spec, path)}`)
    .filter((text) => !/^[\w.]+: \S.*\.$/.test(text) || unfinished.test(text));
}

function pathsOf(spec: ExperimentSpec): string[] {
  return editablePaths(spec).map(({ path }) => path);
}

test.each(Object.entries(presets))('every setting of %s says what it means', (_id, { spec }) => {
  expect(faultsIn(spec, pathsOf(spec))).toEqual([]);
});

const lone: ExperimentSpec = { ...base, arms: [{ name: 'only', overrides: {} }] };
const team: ExperimentSpec = { ...presets['plan-execute'].spec, arms: lone.arms };
const byTurn = { 'estimator.unit': 'step', 'estimator.scope': 'taskAgentTurn' };

/** One of every kind, each with what it needs beside it. */
const kinds: (readonly [string, ExperimentSpec])[] = [
  ...Object.keys(defaultEstimators).map((kind): readonly [string, ExperimentSpec] => [
    `estimator ${kind}`,
    changed({ 'estimator.kind': kind }, kind === 'hierarchical' ? team : lone),
  ]),
  ...Object.keys(defaultLosses).map((kind): readonly [string, ExperimentSpec] => [
    `loss ${kind}`,
    changed({ 'loss.kind': kind }, lone),
  ]),
  ...Object.keys(defaultGroups).map((kind): readonly [string, ExperimentSpec] => [
    `rollouts ${kind}`,
    changed({ ...byTurn, 'groups.sampling': kind }, lone),
  ]),
  ...Object.keys(defaultPulses).map((kind): readonly [string, ExperimentSpec] => [
    `pulses ${kind}`,
    changed({ 'pulses.kind': kind }, lone),
  ]),
  ...Object.keys(defaultFailureTags).map((kind): readonly [string, ExperimentSpec] => [
    `failure tags ${kind}`,
    changed({ 'failureTags.kind': kind }, lone),
  ]),
  ['SGD', changed({ 'policies.router.optimizer.kind': 'sgd' }, lone)],
  ['invocations', team],
  ['rounds', { ...presets['solve-verify'].spec, arms: lone.arms }],
];

test.each(kinds)('with %s every setting says what it means', (_name, spec) => {
  expect(faultsIn(spec, pathsOf(spec))).toEqual([]);
});

test('they reach every row of the field table', () => {
  const reached = kinds.flatMap(([, spec]) =>
    pathsOf(spec).flatMap((path) => fieldPathOf(path) ?? []),
  );
  expect(new Set(reached)).toEqual(new Set(Object.keys(fields)));
});

/** Every option of a choice, both ends of a range and, where it is allowed, null. */
function valuesOf({ field, path }: FormField): unknown[] {
  if (field.kind === 'flag') return [true, false];
  if (field.kind === 'choice')
    return Object.keys(field.options).map((option) =>
      path === 'estimator.ddof' ? Number(option) : option,
    );
  return [field.min, field.max, ...(field.nullLabel === undefined ? [] : [null])];
}

test.each(kinds)(
  'with %s every value that is accepted has a sentence without holes',
  (_name, spec) => {
    const edits = editablePaths(spec).flatMap((formField) =>
      valuesOf(formField).flatMap((value) => {
        const edited = accepted({ [formField.path]: value }, spec);
        return edited === null ? [] : [{ edited, path: formField.path }];
      }),
    );
    expect(edits.length).toBeGreaterThan(100);
    expect(edits.flatMap(({ edited, path }) => faultsIn(edited, [path]))).toEqual([]);
  },
);

test.each([
  ['loss.clipHigh', { 'loss.clipHigh': 0.28 }, 'Ratios are kept in [0.8, 1.28].'],
  // One success in 16: z = 15/√… = √15 population deviations, squared 15.
  ['groups.groupSize', { 'groups.groupSize': 16 }, /16 tasks × 16 rollouts = 256 .*n − 1 = 15\./],
  [
    'policies.router.optimizer.learningRate',
    { 'policies.router.schedule.kind': 'linear', iterations: 101 },
    // Full rate 0.003, down to 0 over 101 iterations: half of it in the 51st.
    'Learning rate: 0.003 in iteration 1, 0.0015 in iteration 51, 0 in iteration 101.',
  ],
  [
    'loss.numMinibatches',
    { 'loss.numMinibatches': 4, 'loss.numUpdateEpochs': 2 },
    // 512 trajectories of up to 4 turns, in 4 parts.
    '2 epochs × 4 minibatches = 8 optimizer steps an iteration, each on at most 128 trajectories and 512 turns.',
  ],
  [
    'iterations',
    {},
    // 3 × 5 × 120 × 512 = 921,600; × 4 turns; × (5 + 1) tokens.
    '3 arms × 5 seeds = 15 runs of 120 iterations: 921,600 training episodes in all, at most 3,686,400 turns and 22,118,400 tokens.',
  ],
  [
    'evaluation.every',
    { 'evaluation.every': 50 },
    // Before the run, after 50 and 100, at the end: 4.
    '4 evaluations × 256 episodes = 1,024 episodes a run, 15,360 episodes in all.',
  ],
  ['estimator.epsilon', { 'estimator.epsilon': 0.1 }, /σ = 0\.1768: .* = 0\.6387\.$/],
  [
    'loss.overlongTurns',
    { 'loss.overlongTurns': 2 },
    'An episode loses 0.5 with 3 turns, 1 with 4 turns; shorter ones nothing.',
  ],
  [
    'warmStart.targetSuccess',
    { 'warmStart.targetSuccess': 0.3 },
    /256 episodes: reinforcement begins once 77 episodes or more/,
  ],
  [
    'policies.search.optimizer.maxGradNorm',
    { 'policies.search.optimizer.maxGradNorm': 2 },
    /norm 20 is multiplied by 0\.1;/,
  ],
  [
    'groups.staleIterations',
    { 'groups.staleIterations': 8 },
    /first 9 iterations .* iteration 9 on/,
  ],
])('%s with %o', (path, changes, text) => {
  expect(effectOf(changed(changes), path)).toMatch(text);
});

test('agents that share a policy are named, with what they share', () => {
  const agents = {
    router: { policy: 'router' },
    search: { policy: 'router' },
    answer: { policy: 'router' },
  };
  const shared: ExperimentSpec = { ...base, agents, policies: { router: defaultPolicy } };
  const total = numParametersOf(defaultPolicy.architecture, worldOf(shared).vocabularySize);
  expect(effectOf(shared, 'agents.search.policy')).toBe(
    `search shares ${total.toLocaleString('en')} parameters and one optimizer with router, answer.`,
  );
});

test('the bound on the second moment is said only where it holds', () => {
  const bound = /n − 1 = 31\./;
  expect(effectOf(base, 'groups.groupSize')).toMatch(bound);
  expect(effectOf(base, 'estimator.scope')).toMatch(bound);
  // Of steps a task has more samples than rollouts, and of invocations too.
  expect(effectOf(changed({ 'estimator.unit': 'step' }), 'estimator.scope')).not.toMatch(bound);
  for (const path of ['groups.groupSize', 'estimator.scope'])
    expect(effectOf(presets['plan-execute'].spec, path)).not.toMatch(/may reach|Samuelson/);
});

test('the effect follows the value', () => {
  const texts = [8, 9].map((groupSize) =>
    effectOf(changed({ 'groups.groupSize': groupSize }), 'groups.groupSize'),
  );
  expect(new Set(texts).size).toBe(2);
});

test('a path that is no setting is refused', () => {
  for (const path of ['environment.modulus', 'loss', '__proto__', 'policies.nobody.isFrozen'])
    expect(() => effectOf(base, path)).toThrow(RangeError);
});

test.each([
  {},
  { numLayers: 3, numKeyValueHeads: 2 },
  { tieEmbeddings: true, intermediateSize: 40 },
  { numLayers: 1, hiddenSize: 24, numHeads: 2, numKeyValueHeads: 1 },
])('a policy with %o is counted as it is allocated', (change) => {
  const architecture = { ...defaultPolicy.architecture, ...change };
  for (const vocabularySize of [5, 31])
    expect(parameterCount(architecture, vocabularySize).total).toBe(
      numParametersOf(architecture, vocabularySize),
    );
});

test.each([
  [0, '0'],
  [0.2, '0.2'],
  [-1.5, '−1.5'],
  [0.123456, '0.1235'],
  [12345.6, '12,346'],
  [1e-6, '10⁻⁶'],
  [3e-7, '3×10⁻⁷'],
  [1.5e13, '1.5×10¹³'],
  [Infinity, '∞'],
])('%d is written %s', (value, text) => {
  expect(effectNumber(value)).toBe(text);
});
