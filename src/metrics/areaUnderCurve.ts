/**
 * Area under a logged line divided by its length: Σ (tᵢ₊₁ − tᵢ)·(yᵢ + yᵢ₊₁)/2 / (t_last − t_first), trapezoid rule.
 * The mean height of the line, in the unit of its values, so runs that logged at other iterations compare; how fast and how
 * well in one number. A line of one point has that point's height. NaN for no points, or if any value is not finite: an area
 * with a hole is not known, and leaving out iterations that blew up would flatter the run.
 * @param iterations [n] increasing. `values` [n].
 * Throws a RangeError on unequal lengths or iterations that do not increase.
 */
export function areaUnderCurve(iterations: ArrayLike<number>, values: ArrayLike<number>): number {
  if (iterations.length !== values.length)
    throw new RangeError(
      `iterations has ${iterations.length} entries, values ${values.length}: give one of each per point.`,
    );
  if (values.length === 1) return Number.isFinite(values[0]) ? values[0]! : NaN;
  const span = iterations.length === 0 ? NaN : iterations[iterations.length - 1]! - iterations[0]!;
  let area = 0;
  for (let i = 1; i < values.length; i++) {
    const width = iterations[i]! - iterations[i - 1]!;
    if (!(width > 0))
      throw new RangeError(
        `Iteration ${iterations[i]} follows ${iterations[i - 1]}: sort the points and keep one per iteration.`,
      );
    // Divided before adding: a sum of huge values would overflow.
    area += (width / span) * (values[i - 1]! / 2 + values[i]! / 2);
  }
  return Number.isFinite(area) && values.length > 0 ? area : NaN;
}
