/** Beyond this a line of usual length shows its past only. */
const largestSmoothingWeight = 0.999;

/**
 * Exponential moving average without the pull towards its start at 0, as TensorBoard draws it. Over the finite values so far,
 * x₁ … x_k: m_k = w·m_{k−1} + (1 − w)·x_k with m₀ = 0, smoothed = m_k / (1 − wᵏ), a mean in which a value i points back weighs wⁱ.
 * Kingma & Ba 2015, "Adam", §3, for the division.
 * One value out for each value in, at the same place: no point appears between two logged ones, and the weight counts logged
 * points, not iterations. A value that is not finite stands as it is and leaves the average untouched. If all finite values
 * are equal they are returned unchanged, so that rounding draws no ripples on a flat line.
 * Smooth before thinning a line, or the result depends on how many points are drawn.
 * @param weight w, 0 (raw) … 0.999. Throws a RangeError otherwise.
 * @returns [n] unit: that of the values.
 */
export function smoothed(values: Float64Array | readonly number[], weight: number): Float64Array {
  const line = new Float64Array(values);
  smoothInPlace(line, weight);
  return line;
}

/** `smoothed` over its own input. */
export function smoothInPlace(line: Float64Array, weight: number): void {
  if (!(weight >= 0 && weight <= largestSmoothingWeight))
    throw new RangeError(
      `weight is ${weight}: give a number from 0 (raw) to ${largestSmoothingWeight}.`,
    );
  if (isFlat(line)) return;
  let average = 0;
  // wᵏ, of which nothing is left to divide by once 1 − wᵏ is 1; a power for each value would cost more than all the rest.
  let power = 1;
  for (let index = 0; index < line.length; index++) {
    const value = line[index]!;
    if (!Number.isFinite(value)) continue;
    average = weight * average + (1 - weight) * value;
    if (1 - power < 1) power *= weight;
    line[index] = average / (1 - power);
  }
}

function isFlat(values: Float64Array): boolean {
  const first = values.find(Number.isFinite);
  for (const value of values) if (value !== first && Number.isFinite(value)) return false;
  return true;
}
