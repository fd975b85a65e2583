import type { Recipe } from '../config/recipes';

interface RecipeOptionsProps {
  readonly recipes: readonly Recipe[];
  /** Stands before the names of the families, where a list holds several groups of recipes. */
  readonly heading?: string;
}

/** The options of a list of recipes, family by family. */
export function RecipeOptions({ recipes, heading }: RecipeOptionsProps) {
  const families = [...new Set(recipes.map(({ family }) => family))];
  return families.map((family) => (
    <optgroup key={family} label={heading === undefined ? family : `${heading}: ${family}`}>
      {recipes
        .filter((recipe) => recipe.family === family)
        .map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
    </optgroup>
  ));
}
