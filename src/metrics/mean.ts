/**
 * Mean of finite values; NaN for none. A running mean, m ← m + (x − m)/k, and not sum over count: equal values give exactly their
 * value, and huge ones of one sign do not overflow. Knuth 1998, "The art of computer programming", vol. 2, §4.2.2, eq. 15.
 */
export function mean(values: ArrayLike<number>): number {
  let average = values.length === 0 ? NaN : 0;
  for (let index = 0; index < values.length; index++)
    average += (values[index]! - average) / (index + 1);
  return average;
}
