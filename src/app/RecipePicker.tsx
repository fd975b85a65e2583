import { useId } from 'react';
import { recipeOf, recipes, type RecipeGroup } from '../config/recipes';
import { RecipeOptions } from './RecipeOptions';
import { RecipeText } from './RecipeText';
import { applyToSpec, useSpec } from './specStore';

interface RecipePickerProps {
  readonly group: RecipeGroup;
  readonly label: string;
}

/** Which recipe the settings make now, if any; choosing another sets all of its settings at once. */
export function RecipePicker({ group, label }: RecipePickerProps) {
  const id = useId();
  const draft = useSpec((state) => state.draft);
  const current = recipeOf(draft, group);
  const choose = (chosen: string): void => {
    const recipe = recipes[group].find((entry) => entry.id === chosen);
    if (recipe) applyToSpec({ kind: 'recipeChosen', overrides: recipe.overrides });
  };
  return (
    <div className="recipe">
      <div className="field field-recipe">
        <label className="field-label" htmlFor={id}>
          {label}
        </label>
        <select
          id={id}
          value={current?.id ?? ''}
          aria-describedby={`${id}-text`}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="" disabled hidden={current !== null}>
            own settings
          </option>
          <RecipeOptions recipes={recipes[group]} />
        </select>
      </div>
      <div id={`${id}-text`}>{current && <RecipeText recipe={current} />}</div>
    </div>
  );
}
