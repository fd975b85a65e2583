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
export function smoothed(values: ArrayLike<number>, weight: number): Float64Array {
  if (!(weight >= 0 && weight <= largestSmoothingWeight))
    throw new RangeError(
      `weight is ${weight}: give a number from 0 (raw) to ${largestSmoothingWeight}.`,
    );
  const raw = Float64Array.from(values);
  const first = raw.find(Number.isFinite);
  if (raw.every((value) => value === first || !Number.isFinite(value))) return raw;
  let average = 0;
  let numFinite = 0;
  return raw.map((value) => {
    if (!Number.isFinite(value)) return value;
    average = weight * average + (1 - weight) * value;
    numFinite += 1;
    return average / (1 - weight ** numFinite);
  });
}
