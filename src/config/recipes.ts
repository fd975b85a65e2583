import { valueAt } from './dataPath';
import { estimatorRecipes } from './estimatorRecipes';
import { lossRecipes } from './lossRecipes';
import { methodRecipes } from './methodRecipes';
import type { Recipe } from './recipe';

export type { Recipe } from './recipe';

/** `method`: an estimator with its loss and what goes with both. */
export type RecipeGroup = 'estimator' | 'loss' | 'method';

/** Methods by name, in the order of the form. `applyOverrides` makes a training of one. */
export const recipes: Readonly<Record<RecipeGroup, readonly Recipe[]>> = {
  estimator: estimatorRecipes,
  loss: lossRecipes,
  method: methodRecipes,
};

/** The recipe all of whose settings hold in a training, or in a specification that is being edited; null where none does. */
export function recipeOf(training: object, group: RecipeGroup): Recipe | null {
  return recipes[group].find((recipe) => holds(training, recipe)) ?? null;
}

function holds(training: object, { overrides }: Recipe): boolean {
  return Object.entries(overrides).every(([path, value]) =>
    Object.is(valueAt(training, path), value),
  );
}

/** The recipe with exactly these overrides: what an arm that was made from one trains by. Null where there is none. */
export function recipeWith(overrides: Recipe['overrides']): Recipe | null {
  const numSettings = Object.keys(overrides).length;
  const all = Object.values(recipes).flat();
  return (
    all.find(
      (recipe) =>
        Object.keys(recipe.overrides).length === numSettings &&
        Object.entries(overrides).every(([path, value]) =>
          Object.is(recipe.overrides[path], value),
        ),
    ) ?? null
  );
}
