/**
 * Gini coefficient of amounts: half their mean absolute difference over their mean.
 *
 * G = ΣᵢΣⱼ|xᵢ − xⱼ| / (2n²x̄) = Σᵢ (2i − n − 1)x₍ᵢ₎ / (n Σx), x₍₁₎ ≤ … ≤ x₍ₙ₎.
 * Gini 1912, "Variabilità e mutabilità"; as a measure of sparsity: Hurley and Rickard 2009, "Comparing Measures of Sparsity", eq. (3).
 * 0 for equal amounts, (n − 1)/n where one has all. Scaling and order change nothing. Float64.
 * @param amounts [n] ≥ 0
 * @returns NaN without amounts, where all are 0, or one is not finite
 * @throws RangeError on a negative amount
 */
export function gini(amounts: Float64Array): number {
  const negative = amounts.findIndex((amount) => amount < 0);
  if (negative >= 0)
    throw new RangeError(
      `amounts[${negative}] is ${amounts[negative]}: a Gini coefficient is of amounts ≥ 0, for example squared norms.`,
    );
  const n = amounts.length;
  let [total, spread] = [0, 0];
  for (const [index, amount] of amounts.toSorted().entries()) {
    total += amount;
    spread += (2 * (index + 1) - n - 1) * amount;
  }
  return spread / (n * total);
}
