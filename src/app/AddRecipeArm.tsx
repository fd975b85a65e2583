import { useId, useState } from 'react';
import { recipes } from '../config/recipes';
import { reasonAgainst } from './armReason';
import { Icon } from './icons';
import { RecipeOptions } from './RecipeOptions';
import { RecipeText } from './RecipeText';
import { applyToSpec, useSpec } from './specStore';

/** Methods first: they are what papers compare. */
const offered = [...recipes.method, ...recipes.estimator, ...recipes.loss];

const lists = [
  ['Methods', recipes.method],
  ['Estimators', recipes.estimator],
  ['Losses', recipes.loss],
] as const;

/** An arm that trains by a recipe: choose it, add it. */
export function AddRecipeArm() {
  const id = useId();
  const draft = useSpec((state) => state.draft);
  const arms = useSpec((state) => state.arms);
  const [chosen, setChosen] = useState('');
  const recipe = offered.find((entry) => entry.id === chosen);
  const arm = recipe && { name: recipe.id, overrides: recipe.overrides };
  const taken = arms.map((offer) => offer.arm.name);
  const reason = arm === undefined ? null : reasonAgainst(arm, draft, taken);
  return (
    <div className="recipe-arm">
      <label htmlFor={id}>Arm from a recipe</label>
      <div className="recipe-arm-row">
        <select
          id={id}
          value={chosen}
          aria-describedby={`${id}-text`}
          onChange={(event) => setChosen(event.target.value)}
        >
          <option value="">choose a recipe</option>
          {lists.map(([heading, list]) => (
            <RecipeOptions key={heading} heading={heading} recipes={list} />
          ))}
        </select>
        <button
          type="button"
          aria-label="Add the arm from the recipe"
          disabled={arm === undefined || reason !== null}
          onClick={() => {
            if (arm === undefined) return;
            applyToSpec({ kind: 'armAdded', arm });
            setChosen('');
          }}
        >
          <Icon name="add" />
          Add
        </button>
      </div>
      <div id={`${id}-text`}>
        {reason !== null && <p className="field-issue">{reason}</p>}
        {recipe && <RecipeText recipe={recipe} />}
      </div>
    </div>
  );
}
