import { describe, expect, test } from 'vitest';
import { estimatorPresets, type EstimatorPresetName } from '../rl/estimatorPresets';
import { lossPresets } from '../rl/lossPresets';
import { experimentSpecSchema, type TrainingSpec } from './experimentSpec';
import { applyOverrides } from './overrides';
import { parseTraining, trainingOf } from './parseTraining';
import { presets } from './presets';
import { recipeOf, recipes, recipeWith, type Recipe, type RecipeGroup } from './recipes';

const groups: readonly RecipeGroup[] = ['estimator', 'loss', 'method'];
const all = groups.flatMap((group) => recipes[group].map((recipe) => ({ group, ...recipe })));
const { spec: routing } = presets['route-search-answer'];
const { spec: planning } = presets['plan-execute'];

function recipeCalled(id: string): Recipe {
  const found = all.find((recipe) => recipe.id === id);
  if (!found) throw new Error(`No recipe ${id}.`);
  return found;
}

function trainingWith(id: string, base: TrainingSpec = routing): TrainingSpec {
  const parsed = parseTraining(applyOverrides(base, recipeCalled(id).overrides));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.training;
}

/** Which recipes cannot be had in a preset, and at which setting the form says why. */
const refusedWithoutSubAgents = {
  mgrpo: 'estimator.alignment',
  mgrpoWeighted: 'estimator.alignment',
  mgrpoCode: 'estimator.alignment',
  hierarchicalGrpo: 'estimator.kind',
};
const refusedIn: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'route-search-answer': refusedWithoutSubAgents,
  'route-search-answer-weak': refusedWithoutSubAgents,
  'route-search-answer-weakest': refusedWithoutSubAgents,
  'solve-verify': refusedWithoutSubAgents,
  'solve-verify-null': refusedWithoutSubAgents,
  'stable-designs': refusedWithoutSubAgents,
  'stale-pipeline': refusedWithoutSubAgents,
  critics: refusedWithoutSubAgents,
  'plan-execute': {
    // Eight turns of three branches: 6,561 leaves a task.
    malt: 'groups.groupSize',
    mappo: 'estimator.critic',
    vdn: 'estimator.critic',
    mappoMethod: 'estimator.critic',
  },
};

test.each(Object.entries(presets))('%s takes every recipe, or says why not', (id, { spec }) => {
  const refused = all.flatMap((recipe) => {
    const parsed = parseTraining(applyOverrides(spec, recipe.overrides));
    return parsed.ok ? [] : [[recipe.id, parsed.issues.map(({ path }) => path).join()]];
  });
  expect(Object.fromEntries(refused)).toEqual(refusedIn[id]);
});

describe('a recipe', () => {
  test.each(all)('$id of $group, taken twice, is as taken once, and is recognized', (recipe) => {
    const base =
      recipe.id.startsWith('mgrpo') || recipe.id === 'hierarchicalGrpo' ? planning : routing;
    const once = trainingWith(recipe.id, base);
    expect(trainingWith(recipe.id, once)).toEqual(once);
    expect(recipeOf(once, recipe.group)?.id).toBe(recipe.id);
  });

  test.each(all)('$id of $group can be taken after any other of its group', (recipe) => {
    const base =
      recipe.id.startsWith('mgrpo') || recipe.id === 'hierarchicalGrpo' ? planning : routing;
    for (const other of recipes[recipe.group]) {
      const before = applyOverrides(base, other.overrides);
      const parsed = parseTraining(before);
      if (!parsed.ok) continue;
      expect(recipeOf(applyOverrides(parsed.training, recipe.overrides), recipe.group)?.id).toBe(
        recipe.id,
      );
    }
  });

  test.each(all)(
    '$id of $group has words of its own',
    ({ label, family, formula, source, note }) => {
      for (const text of [label, family, formula, source]) expect(text).toMatch(/\S/);
      expect(note).toMatch(/\.$/);
    },
  );

  test('has a name that an arm can have, and no other recipe has it', () => {
    const ids = all.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const arm = experimentSpecSchema.shape.arms.def.element;
    for (const { id, overrides } of all)
      expect(arm.safeParse({ name: id, overrides }).success).toBe(true);
    for (const group of groups) {
      const labels = recipes[group].map(({ label }) => label);
      expect(new Set(labels).size).toBe(labels.length);
    }
  });
});

function idOf(base: TrainingSpec, overrides: Recipe['overrides'] = {}): string | undefined {
  return recipeOf(applyOverrides(base, overrides), 'estimator')?.id;
}

test('the presets are recipes themselves', () => {
  expect(routing.arms.map((arm) => idOf(routing, arm.overrides))).toEqual([
    'grpo',
    'globalStep',
    'drMas',
  ]);
  expect(idOf(planning)).toBe('mgrpo');
  expect(recipeOf(trainingOf(routing), 'loss')?.id).toBe('dualClip');
  expect(recipeOf(trainingOf(routing), 'method')).toBeNull();
  const ownEpsilon = applyOverrides(routing, { 'estimator.epsilon': 0.5 });
  expect(recipeOf(ownEpsilon, 'estimator')).toBeNull();
});

/** Recipes that the maths knows by the same name; the others there are no statistics of one group. */
const sameNames = Object.keys(estimatorPresets).filter((name): name is EstimatorPresetName =>
  recipes.estimator.some(
    ({ id, overrides }) => id === name && overrides['estimator.kind'] === 'group',
  ),
);

test.each(sameNames)('%s has the numbers that the maths has under this name', (name) => {
  const { estimator } = trainingWith(name, planning);
  expect(estimator).toMatchObject(estimatorPresets[name].options);
});

test('every estimator over groups that the maths has is offered under its name', () => {
  expect(sameNames.toSorted()).toEqual(Object.keys(estimatorPresets).toSorted());
});

function lossOf(id: string): TrainingSpec['loss'] {
  return trainingWith(id).loss;
}

test('losses have the numbers of the maths', () => {
  const { dapo, drMas, gspo, sapo, cispoAbsolute, cispoBand } = lossPresets(8);
  const clip = ({ spec }: typeof dapo) => ({
    clipLow: 'clipLow' in spec ? spec.clipLow : null,
    clipHigh: 'clipHigh' in spec ? spec.clipHigh : null,
    aggregation: spec.aggregation.kind,
  });
  expect(lossOf('clipHigher')).toMatchObject(clip(dapo));
  expect(lossOf('dualClip')).toMatchObject({ ...clip(drMas), dualClip: 3 });
  expect(lossOf('gspo')).toMatchObject(clip(gspo));
  expect(lossOf('sapo')).toMatchObject({ tauPositive: 1, tauNegative: 1.05 });
  expect(sapo.spec).toMatchObject({ tauPositive: 1, tauNegative: 1.05 });
  expect(cispoAbsolute.spec).toMatchObject({ bounds: { high: 5 } });
  expect(lossOf('cispoCap')).toMatchObject({ weightCap: 5 });
  expect(cispoBand.spec).toMatchObject({ bounds: { clipLow: 0.2, clipHigh: 0.28 } });
  expect(lossOf('cispoBand')).toMatchObject({ clipLow: 0.2, clipHigh: 0.28 });
});

test('SAMPO is GiGPO’s advantage, GSPO’s loss, dropped groups and a little KL', () => {
  const { estimator, loss } = trainingWith('sampo');
  expect(estimator).toMatchObject({
    kind: 'gigpo',
    mode: 'meanStdNorm',
    gamma: 0.95,
    stepWeight: 1,
  });
  expect(loss).toMatchObject({
    kind: 'gspo',
    clipLow: 0.003,
    clipHigh: 0.004,
    dynamicSampling: true,
    refKlCoef: 0.01,
    refKlEstimator: 'k3',
    refKlIn: 'loss',
  });
});

test('DAPO clips higher, averages over tokens, drops groups without signal, punishes length and has no KL', () => {
  expect(trainingWith('dapo').loss).toMatchObject({
    kind: 'clip',
    clipLow: 0.2,
    clipHigh: 0.28,
    aggregation: 'tokenMean',
    dynamicSampling: true,
    overlongTurns: 1,
    refKlCoef: 0,
  });
});

test('an arm’s overrides are a recipe’s only if they are all of them and no others', () => {
  for (const { id, overrides } of all) expect(recipeWith(overrides)?.id).toBe(id);
  const { overrides } = recipeCalled('sampo');
  expect(recipeWith({})).toBeNull();
  expect(recipeWith({ ...overrides, 'loss.clipLow': 0.5 })).toBeNull();
  expect(recipeWith({ ...overrides, 'loss.entropyCoef': 0 })).toBeNull();
});

test('stale rollouts are possible under IMPALA, whose ratio stands in the advantage alone', () => {
  const stale = { ...recipeCalled('impala').overrides, 'groups.staleIterations': 4 };
  expect(parseTraining(applyOverrides(routing, stale)).ok).toBe(true);
});
