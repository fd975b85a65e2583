import type { Recipe } from '../config/recipes';
import { CodeText } from './CodeText';

/** What a recipe computes, where that stands, and what to know about it. */
export function RecipeText({ recipe }: { readonly recipe: Recipe }) {
  return (
    <div className="recipe-text small">
      <p className="formula">{recipe.formula}</p>
      <p>
        <CodeText text={recipe.note} />
      </p>
      <p className="muted">
        Source: <CodeText text={recipe.source} />.
      </p>
    </div>
  );
}
