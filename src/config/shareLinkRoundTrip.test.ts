import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agentIdsOf, type ExperimentSpec } from './experimentSpec';
import { fieldAt } from './fields';
import { isPlainObject, type PlainObject } from './dataPath';
import { editablePaths, valueAt, withValue } from './formFields';
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
const bound = /\.kind$|^agents\.|^groups\.(sampling|tasks|groupSize|stale)|Heads$|hiddenSize$/;

function freePaths(spec: object): string[] {
  return editablePaths(spec)
    .map(({ path }) => path)
    .filter((path) => !bound.test(path));
}

/** Choices of a kind that an arm may make: they bring settings of their own. */
const kindPaths = ['estimator.kind', 'loss.kind', 'pulses.kind', 'failureTags.kind'];

/** Those that an arm may override. */
function trainingPaths(spec: object): string[] {
  return [
    ...freePaths(spec).filter((path) => !/^(iterations|backend|evaluation\.)/.test(path)),
    ...kindPaths,
    'groups.sampling',
  ];
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
    world: fc.constantFrom(
      'routeSearchAnswer' as const,
      'solveVerify' as const,
      'planExecute' as const,
    ),
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

/** A team with any estimator, loss, sampling, pulses and tags, all at their defaults. */
const anyBase = fc
  .record({
    team: anyTeam,
    kinds: fc.record(
      Object.fromEntries([...kindPaths, 'groups.sampling'].map((path) => [path, anyValueOf(path)])),
    ),
  })
  .map(({ team, kinds }) =>
    Object.entries(kinds).reduce((data, [path, value]) => withValue(data, path, value), team),
  );

const anyArms = (paths: readonly string[]): fc.Arbitrary<ExperimentSpec['arms']> =>
  fc
    .array(anyOverrides(paths), { minLength: 1, maxLength: 8 })
    .map((all) => all.map((overrides, i) => ({ name: `arm${i}`, overrides })));

/** Where settings contradict each other, one of them takes a value that goes with every other. */
const peacemakers: readonly (readonly [RegExp, number | string | boolean])[] = [
  [/^environment\.maxSubtasks$/, 1],
  [/^policies\.[^.]+\.isFrozen$/, false],
  [/^pulses\.kind$/, 'none'],
  [/^estimator\.kind$/, 'movingBaseline'],
  [/^estimator\.alignment$/, 'none'],
  [/^estimator\.unit$/, 'step'],
  [/^estimator\.critic$/, 'own'],
  [/^loss\.samplerCorrection$/, 'none'],
  [/^loss\.oldLogprobs$/, 'trainer'],
  [/^loss\.refKlEstimator$/, 'k1'],
  [/^loss\.balance$/, 'none'],
  [/^loss\.dynamicSampling$/, false],
  [/^loss\.overlongTurns$/, 0],
  [/^loss\.numMinibatches$/, 1],
  [/^groups\.sampling$/, 'parallel'],
  [/^groups\.groupSize$/, 2],
  [/^groups\.staleIterations$/, 0],
  [/^failureTags\.minScale$/, 0],
];

/**
 * A valid specification from one whose settings may contradict each other. An arm that cannot be mended where it contradicts its
 * base loses its overrides.
 */
function reconciled(data: object, roundsLeft = 8): ExperimentSpec {
  const parsed = parseSpec(data);
  if (parsed.ok) return parsed.spec;
  if (roundsLeft === 0) throw new Error(JSON.stringify(parsed.issues));
  const mended = parsed.issues.reduce<object>((current, { path }) => {
    const [, armPath, ownPath = ''] = /^(arms\.\d+\.overrides)\.?(.*)$/.exec(path) ?? [];
    // A setting that only another kind has cannot make peace: then the arm gives way.
    const peace = peacemakers.find(
      ([pattern]) =>
        pattern.test(armPath === undefined ? path : ownPath) &&
        (armPath === undefined || roundsLeft > 4),
    );
    if (armPath === undefined) return peace ? withValue(current, path, peace[1]) : current;
    const overrides = valueAt(current, armPath);
    return withValue(
      current,
      armPath,
      peace && isPlainObject(overrides) && roundsLeft > 4
        ? { ...overrides, [ownPath]: peace[1] }
        : {},
    );
  }, data);
  return reconciled(mended, roundsLeft - 1);
}

/** Any valid specification, up to the coupled settings above. */
const anySpec: fc.Arbitrary<ExperimentSpec> = anyBase.chain((base) =>
  fc
    .record({
      title: fc.string({ unit: 'binary', maxLength: 120 }),
      seeds: fc.uniqueArray(fc.integer({ min: 0, max: 0xffffffff }), {
        minLength: 1,
        maxLength: 8,
      }),
      arms: anyArms(trainingPaths(base)),
      groups: fc.record({
        staleIterations: fc.integer({ min: 0, max: 64 }),
        tasksPerIteration: fc.integer({ min: 1, max: 64 }),
        groupSize: fc.integer({ min: 1, max: 1024 }),
      }),
      values: fc.record(
        Object.fromEntries(freePaths(base).map((path) => [path, anyValueOf(path)])),
      ),
    })
    .map(({ title, seeds, arms, groups, values }) => {
      const sized = { ...base, groups: { ...groupsOf(base), ...groups } };
      const filled = Object.entries(values).reduce<object>(
        (data, [path, value]) => withValue(data, path, value),
        { ...sized, title, seeds, arms },
      );
      return reconciled(withSmallTree(filled));
    }),
);

/** What a full tree asks for: short episodes, few branches, and statistics of the branches of a turn. */
const treeSettings: Readonly<Record<string, number | string>> = {
  'environment.maxTurns': 4,
  'environment.maxRounds': 2,
  'environment.maxSubtasks': 1,
  'environment.toolTurns': 2,
  'groups.groupSize': 2,
  'estimator.kind': 'group',
  'estimator.scope': 'taskAgentTurn',
  'estimator.unit': 'step',
};

function withSmallTree(data: object): object {
  if (valueAt(data, 'groups.sampling') !== 'expand') return data;
  return Object.entries(treeSettings).reduce(
    (current, [path, value]) =>
      valueAt(current, path) === undefined ? current : withValue(current, path, value),
    data,
  );
}

function groupsOf(data: object): PlainObject {
  const groups = valueAt(data, 'groups');
  return isPlainObject(groups) ? groups : {};
}

test('the specifications drawn here hold every kind of estimator, loss, sampling, pulse and tag', () => {
  const drawn = fc.sample(anySpec, { numRuns: 400, seed: 2 });
  for (const path of [...kindPaths, 'groups.sampling', 'environment.kind']) {
    const field = fieldAt(path);
    const options = field?.kind === 'choice' ? Object.keys(field.options) : [];
    const seen = new Set(drawn.map((spec) => valueAt(spec, path)));
    expect(options.filter((option) => !seen.has(option))).toEqual([]);
  }
  expect(
    drawn.some(({ estimator }) => estimator.kind === 'group' && estimator.alignment !== 'none'),
  ).toBe(true);
  expect(
    drawn.some(({ arms }) => arms.some(({ overrides }) => 'estimator.kind' in overrides)),
  ).toBe(true);
});

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
