import { expect, test } from 'vitest';
import type { ExperimentSpec } from './experimentSpec';
import { fields } from './fields';
import type { Intervention } from './interventionSchema';
import { parseSpec } from './parseSpec';
import { presets } from './presets';
import { decodeShareLink, encodeShareLink } from './shareLink';
import { specHash } from './specHash';
import { steerablePaths } from './steerable';
import { commanded, withIntervention, withInterventions } from './steerSpec';
import { trainingsAt } from './steering';

const { spec } = presets['route-search-answer'];
const [first, second] = spec.arms.map(({ name }) => name);

function steered(interventions: readonly object[], changes: Partial<ExperimentSpec> = {}) {
  return parseSpec({ ...spec, ...changes, interventions });
}

function issuesOf(interventions: readonly object[], changes: Partial<ExperimentSpec> = {}) {
  const parsed = steered(interventions, changes);
  return parsed.ok ? [] : parsed.issues;
}

function valid(interventions: readonly object[]): ExperimentSpec {
  const parsed = steered(interventions);
  if (!parsed.ok) throw new Error(parsed.issues[0]?.message);
  return parsed.spec;
}

const lower: Intervention = {
  iteration: 57,
  arm: null,
  path: 'policies.*.optimizer.learningRate',
  value: 1e-4,
};

function clip(iteration: number, value: number): Intervention {
  return { iteration, arm: null, path: 'loss.clipHigh', value };
}

function penalty(iteration: number, value: number): Intervention {
  return { iteration, arm: null, path: 'loss.refKlCoef', value };
}

test('without interventions there is no list, and hash and link are those from before there was one', () => {
  expect(steered([])).toEqual({ ok: true, spec });
  expect(Object.hasOwn(spec, 'interventions')).toBe(false);
  expect(specHash(withInterventions(valid([lower]), []))).toBe(specHash(spec));
  expect(withInterventions(valid([lower]), [])).toEqual(spec);
});

test('interventions are part of the hash and come through a link', () => {
  const changed = valid([lower]);
  expect(specHash(changed)).not.toBe(specHash(spec));
  expect(specHash(valid([{ ...lower, iteration: 58 }]))).not.toBe(specHash(changed));
  const link = encodeShareLink(changed);
  expect(link.ok && decodeShareLink(link.fragment)).toEqual({ ok: true, spec: changed });
});

test('a change holds from its iteration on, in the arms that it names', () => {
  const changed = valid([
    { ...lower, arm: first },
    { iteration: 60, arm: null, path: 'policies.search.optimizer.learningRate', value: 2e-4 },
  ]);
  const rate = (iteration: number, arm: string, policy: string): number =>
    trainingsAt(changed, iteration).get(arm)!.policies[policy]!.optimizer.learningRate;
  const before = spec.policies['router']!.optimizer.learningRate;
  expect(rate(56, first!, 'router')).toBe(before);
  expect(rate(57, first!, 'router')).toBe(1e-4);
  expect(rate(57, second!, 'router')).toBe(before);
  expect(rate(59, first!, 'search')).toBe(1e-4);
  expect([first!, second!].map((arm) => rate(60, arm, 'search'))).toEqual([2e-4, 2e-4]);
  expect(rate(60, first!, 'answer')).toBe(1e-4);
});

test('interventions take effect by iteration, and those of one iteration as they stand', () => {
  const changed = valid([clip(9, 0.9), clip(5, 0.5), clip(9, 0.8)]);
  const highs = [4, 5, 8, 9].map((iteration) => {
    const { loss } = trainingsAt(changed, iteration).get(first!)!;
    return loss.kind === 'clip' ? loss.clipHigh : null;
  });
  expect(highs).toEqual([spec.loss.kind === 'clip' ? spec.loss.clipHigh : null, 0.5, 0.5, 0.8]);
});

test.each<[string, object, string, string]>([
  ['iteration 0', { iteration: 0 }, 'interventions.0.iteration', '0 came'],
  [
    'an iteration after the last',
    { iteration: spec.iterations + 1 },
    'interventions.0.iteration',
    'expected at most that',
  ],
  ['an arm that is not there', { arm: 'nobody' }, 'interventions.0.arm', 'expected one of global'],
  [
    'a setting of memory',
    { path: 'groups.groupSize', value: 8 },
    'interventions.0.path',
    'cannot change while a run goes on',
  ],
  [
    'a setting that is none',
    { path: '__proto__.polluted', value: 8 },
    'interventions.0.path',
    'cannot change',
  ],
  [
    'a policy that is not there',
    { path: 'policies.nobody.optimizer.learningRate' },
    'interventions.0.path',
    'no such setting',
  ],
  ['a word for a number', { value: 'high' }, 'interventions.0.value', '"high" came, expected'],
  ['more than the form takes', { value: 11 }, 'interventions.0.value', 'from 0 to 10'],
  ['an unknown part', { note: 'why' }, 'interventions.0.note', 'Not a setting here'],
  [
    'a reference that was not kept',
    { path: 'loss.refKlCoef', value: 0.1 },
    'interventions.0.value',
    'keeps no reference',
  ],
  [
    'a critic that was not made',
    { path: 'estimator.kind', value: 'gae' },
    'interventions.0.value',
    'a value network',
  ],
  [
    'a rest at every policy',
    { path: 'policies.*.isFrozen', value: true },
    'interventions.0.value',
    'nothing would be learned',
  ],
])('%s is refused with its place', (_what, change, path, words) => {
  const [issue, ...others] = issuesOf([{ ...lower, ...change }]);
  expect(others).toEqual([]);
  expect(issue?.path).toBe(path);
  expect(issue?.message).toContain(words);
});

test('the value is judged by the form’s own words', () => {
  const [inForm] = ((): readonly { message: string }[] => {
    const data = structuredClone(spec);
    data.policies['router']!.optimizer.learningRate = 11;
    const parsed = parseSpec(data);
    return parsed.ok ? [] : parsed.issues;
  })();
  const path = 'policies.router.optimizer.learningRate';
  expect(commanded(spec, { arm: first!, path, value: 11 }, 3)).toEqual({
    ok: false,
    reason: inForm!.message,
  });
});

test('a penalty can be changed and switched off, and not on again', () => {
  const withPenalty = { loss: { ...spec.loss, refKlCoef: 0.01 } };
  expect(issuesOf([penalty(2, 0.1), penalty(3, 0)], withPenalty)).toEqual([]);
  const paths = issuesOf([penalty(3, 0), penalty(4, 0.1)], withPenalty).map(({ path }) => path);
  expect(paths).toEqual(['interventions.1.value']);
});

test('another kind brings its settings, and a later change of one of them is found', () => {
  const toSapo = { iteration: 2, arm: null, path: 'loss.kind', value: 'sapo' };
  expect(
    issuesOf([toSapo, { ...toSapo, iteration: 3, path: 'loss.tauPositive', value: 2 }]),
  ).toEqual([]);
  expect(issuesOf([clip(3, 0.3)])).toEqual([]);
  expect(issuesOf([toSapo, clip(3, 0.3)]).map(({ path }) => path)).toEqual([
    'interventions.1.path',
  ]);
});

test('a command from outside is refused where it would break what is planned', () => {
  const planned = valid([{ iteration: 9, arm: null, path: 'loss.clipHigh', value: 0.3 }]);
  const command = { arm: null, path: 'loss.kind', value: 'sapo' };
  const answer = commanded(planned, command, 4);
  expect(answer.ok || answer.reason).toContain('planned for iteration 9 would no longer fit');
  expect(commanded(planned, command, 10).ok).toBe(true);
});

test('a command comes after all that is planned for its iteration', () => {
  const planned = valid([lower, { ...lower, iteration: 70 }]);
  const answer = commanded(planned, { arm: first!, path: lower.path, value: 5e-4 }, 57);
  if (!answer.ok) throw new Error(answer.reason);
  expect(answer.intervention).toEqual({ ...lower, arm: first, value: 5e-4 });
  expect(answer.spec.interventions!.map(({ value, iteration }) => [iteration, value])).toEqual([
    [57, 1e-4],
    [57, 5e-4],
    [70, 1e-4],
  ]);
  expect(answer.spec).toEqual(withIntervention(planned, answer.intervention));
});

test('every steerable setting is a row of the field table, and some preset can change it', () => {
  for (const path of steerablePaths) expect(fields).toHaveProperty([path]);
  expect(new Set(steerablePaths).size).toBe(steerablePaths.length);
});
