import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agentIdsOf, type ExperimentSpec } from './experimentSpec';
import { fieldAt } from './fields';
import { editablePaths, withValue } from './formFields';
import { parseSpec } from './parseSpec';
import { presets } from './presets';
import { decodeShareLink, encodeShareLink } from './shareLink';

const { spec: weakStart } = presets['route-search-answer-weak'];

/** Any value that the field table allows at a path. */
function anyValueOf(path: string): fc.Arbitrary<number | string | boolean | null> {
  const field = fieldAt(path);
  if (!field) throw new Error(`${path} has no row in the field table.`);
  switch (field.kind) {
    case 'flag':
      return fc.boolean();
    case 'choice':
      return fc
        .constantFrom(...Object.keys(field.options))
        .map((value) => (path === 'estimator.ddof' ? Number(value) : value));
    case 'integer':
      return fc.integer(field);
    case 'real': {
      const number = fc.double({ min: field.min, max: field.max, noNaN: true });
      return field.nullLabel === undefined ? number : fc.option(number);
    }
  }
}

/** Settings that other settings bind: drawn together below, or left at their defaults. */
const bound = /\.kind$|^agents\.|^groups\.|Heads$|hiddenSize$/;

function freePaths(spec: object): string[] {
  return editablePaths(spec)
    .map(({ path }) => path)
    .filter((path) => !bound.test(path));
}

/** Those that an arm may override. */
function trainingPaths(spec: object): string[] {
  return freePaths(spec).filter((path) => !/^(iterations|backend|evaluation\.)/.test(path));
}

function anyOverrides(
  paths: readonly string[],
): fc.Arbitrary<ExperimentSpec['arms'][0]['overrides']> {
  return fc
    .subarray([...paths], { maxLength: 6 })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((path) => [path, anyValueOf(path)]))),
    );
}

/** A team in one of the worlds, with its own or shared policies and either optimizer. */
const anyTeam = fc
  .record({
    world: fc.constantFrom('routeSearchAnswer' as const, 'solveVerify' as const),
    isShared: fc.boolean(),
    optimizers: fc.array(fc.constantFrom('adamw', 'sgd'), { minLength: 3, maxLength: 3 }),
    heads: fc.constantFrom([1, 1, 2], [4, 2, 40], [16, 4, 256], [3, 1, 24]),
  })
  .map(({ world, isShared, optimizers, heads: [numHeads, numKeyValueHeads, hiddenSize] }) => {
    const { router } = weakStart.policies;
    const architecture = {
      ...router?.architecture,
      numHeads,
      numKeyValueHeads,
      hiddenSize: 8 * Math.ceil((hiddenSize ?? 8) / 8),
    };
    const policyOf = (agent: string): string => (isShared ? 'team' : agent);
    const agents = agentIdsOf[world].map((agent) => [agent, { policy: policyOf(agent) }]);
    const policies = agentIdsOf[world].map((agent) => [
      policyOf(agent),
      { ...router, architecture },
    ]);
    const team: object = {
      ...withValue(weakStart, 'environment.kind', world),
      agents: Object.fromEntries(agents),
      policies: Object.fromEntries(policies),
    };
    return [...new Set(agentIdsOf[world].map(policyOf))].reduce(
      (data, id, i) => withValue(data, `policies.${id}.optimizer.kind`, optimizers[i]),
      team,
    );
  });

const anyArms = (paths: readonly string[]): fc.Arbitrary<ExperimentSpec['arms']> =>
  fc
    .array(anyOverrides(paths), { minLength: 1, maxLength: 8 })
    .map((all) => all.map((overrides, i) => ({ name: `arm${i}`, overrides })));

/** Any valid specification, up to the coupled settings above. */
const anySpec: fc.Arbitrary<ExperimentSpec> = anyTeam.chain((team) =>
  fc
    .record({
      title: fc.string({ unit: 'binary', maxLength: 120 }),
      seeds: fc.uniqueArray(fc.integer({ min: 0, max: 0xffffffff }), {
        minLength: 1,
        maxLength: 8,
      }),
      arms: anyArms(trainingPaths(team)),
      groups: fc.record({
        sampling: fc.constant('parallel'),
        staleIterations: fc.integer({ min: 0, max: 64 }),
        tasksPerIteration: fc.integer({ min: 1, max: 64 }),
        groupSize: fc.integer({ min: 1, max: 1024 }),
      }),
      values: fc.record(
        Object.fromEntries(freePaths(team).map((path) => [path, anyValueOf(path)])),
      ),
    })
    .map(({ title, seeds, arms, groups, values }) => {
      const filled = Object.entries(values).reduce<object>(
        (data, [path, value]) => withValue(data, path, value),
        { ...team, title, seeds, arms, groups },
      );
      const parsed = parseSpec(filled);
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
      return parsed.spec;
    }),
);

test('every valid specification comes back from its link unchanged', () => {
  fc.assert(
    fc.property(anySpec, (spec) => {
      const encoded = encodeShareLink(spec);
      const fragment = encoded.ok ? encoded.fragment : 'too long';
      expect(decodeShareLink(fragment)).toEqual({ ok: true, spec });
    }),
    { numRuns: 200 },
  );
});
