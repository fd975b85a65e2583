import { expect, test } from 'vitest';
import { presets } from '../config/presets';
import { recipes, type Recipe } from '../config/recipes';
import { reasonAgainst } from './armReason';

const { spec: routing } = presets['route-search-answer'];

function armOf(id: string): { readonly name: string; readonly overrides: Recipe['overrides'] } {
  const recipe = recipes.estimator.find((entry) => entry.id === id);
  if (!recipe) throw new Error(`No recipe ${id}.`);
  return { name: id, overrides: recipe.overrides };
}

test('an arm needs a name that is free and something to override', () => {
  const overrides = { 'estimator.unit': 'step' };
  expect(reasonAgainst({ name: '', overrides }, routing, [])).toMatch(/name/);
  expect(reasonAgainst({ name: 'a', overrides }, routing, ['a'])).toMatch(/an arm a already/);
  expect(reasonAgainst({ name: 'a', overrides: {} }, routing, [])).toMatch(/at least one/);
  expect(reasonAgainst({ name: 'a', overrides }, routing, ['b'])).toBeNull();
});

test('a recipe that the world cannot have is refused by the setting, as the form calls it', () => {
  expect(reasonAgainst(armOf('magrpo'), routing, [])).toBeNull();
  expect(reasonAgainst(armOf('mgrpo'), routing, [])).toMatch(
    /^Sub-trajectories: “duplicate or drop/,
  );
  expect(reasonAgainst(armOf('mgrpo'), presets['plan-execute'].spec, [])).toBeNull();
});
