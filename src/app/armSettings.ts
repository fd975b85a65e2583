import { valueAt } from '../config/formFields';
import { recipeWith } from '../config/recipes';
import { settingName, settingValue } from './settingText';
import type { Arm } from './specState';

/** One setting in which arms differ, as one of them has it. */
interface ArmSetting {
  readonly text: string;
  /** The arm sets it itself; otherwise it has the value of the form. */
  readonly isOwn: boolean;
}

/** Whether an arm was made from a recipe, whose name then says all. */
function isOfRecipe({ overrides }: Arm): boolean {
  return recipeWith(overrides) !== null;
}

/**
 * An arm that was made from a recipe: its name. Of the others: the settings in which any of `arms` differs from `draft`, as `arm` has them: what tells the arms apart. Settings that come with
 * another arm's choice of a kind, and that this arm does not have, are left out.
 */
export function armSettings(arm: Arm, arms: readonly Arm[], draft: object): readonly ArmSetting[] {
  const recipe = recipeWith(arm.overrides);
  if (recipe !== null) return [{ text: `Recipe: ${recipe.label}`, isOwn: true }];
  const others = arms.filter((other) => !isOfRecipe(other));
  const paths = new Set(
    others.flatMap(({ overrides }) =>
      Object.keys(overrides).filter((path) => !Object.is(overrides[path], valueAt(draft, path))),
    ),
  );
  return [...paths].flatMap((path) => {
    const isOwn = Object.hasOwn(arm.overrides, path);
    const value: unknown = isOwn ? arm.overrides[path] : valueAt(draft, path);
    if (value === undefined) return [];
    return [{ text: `${settingName(path)}: ${settingValue(path, value)}`, isOwn }];
  });
}
