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

/**
 * The line as it stood at each x of `grid`: its last logged value at or before x. For x axes on which seeds do not meet, such as
 * environment steps. Between the first and the last point only: nothing stands before a seed has begun or after it has ended.
 * @param grid increasing
 * Throws a RangeError on a line that `assertScoreLine` refuses.
 */
export function lineOnGrid(
  line: ScoreLine,
  grid: readonly number[],
): { readonly xs: number[]; readonly values: number[] } {
  assertScoreLine(line, 'line');
  const { xs, values } = line;
  const held: { xs: number[]; values: number[] } = { xs: [], values: [] };
  let next = 0;
  for (const x of grid) {
    while (next < xs.length && xs[next]! <= x) next++;
    const isInside = next > 0 && (next < xs.length || xs[next - 1] === x);
    if (!isInside) continue;
    held.xs.push(x);
    held.values.push(values[next - 1]!);
  }
  return held;
}
