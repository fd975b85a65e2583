/** One seed's scores along any increasing quantity: iterations, environment steps, tokens, seconds. */
export interface ScoreLine {
  /** [n] finite, strictly increasing. Unit: that of the chart's x axis. */
  readonly xs: ArrayLike<number>;
  /** [n] may hold NaN and ±Infinity. Unit: the metric's. */
  readonly values: ArrayLike<number>;
}

/** Throws a RangeError on unequal lengths, or xs that are not finite or do not increase. `name` goes into the message. */
export function assertScoreLine({ xs, values }: ScoreLine, name: string): void {
  if (xs.length !== values.length)
    throw new RangeError(
      `${name} has ${xs.length} xs and ${values.length} values: give one of each per point.`,
    );
  for (let position = 0; position < xs.length; position++)
    if (!Number.isFinite(xs[position]) || (position > 0 && xs[position]! <= xs[position - 1]!))
      throw new RangeError(
        `${name} has x ${xs[position]} at position ${position}: give finite xs in increasing order, each once.`,
      );
}
