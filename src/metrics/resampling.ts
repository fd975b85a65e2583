export interface BootstrapOptions {
  /** Share of the resampled statistics inside the interval, between 0 and 1, such as 0.95. */
  readonly level: number;
  /** Resamples, ≥ 1. With 10,000 the share in a tail of 0.025 is off by about 0.0016. */
  readonly numResamples: number;
  /** Counter → a number in [0, 1), independent between counters: uniform(key, ·) makes the interval reproducible. */
  readonly uniform: (counter: number) => number;
}

/** Throws a RangeError on a level outside (0, 1) or a number of resamples that is not a whole number from 1. */
export function assertBootstrapOptions({ level, numResamples }: BootstrapOptions): void {
  if (!(level > 0 && level < 1))
    throw new RangeError(`level is ${level}: give a share between 0 and 1, such as 0.95.`);
  if (!Number.isInteger(numResamples) || numResamples < 1)
    throw new RangeError(`numResamples is ${numResamples}: give a whole number from 1.`);
}

/**
 * Draws with replacement inside each stratum, as many as it has, again and again: every resample keeps the strata's sizes.
 * Draw d of stratum s in resample r uses the counter r·N + (sizes of the strata before s) + d, where N is the sum of all sizes.
 * @param visit gets each resample and its number, from 0. The arrays are overwritten by the next one, so take numbers from them, not views.
 */
export function forEachResample(
  strata: readonly ArrayLike<number>[],
  { numResamples, uniform }: Pick<BootstrapOptions, 'numResamples' | 'uniform'>,
  visit: (resample: readonly Float64Array[], index: number) => void,
): void {
  const drawn = strata.map((stratum) => new Float64Array(stratum.length));
  let counter = 0;
  for (let index = 0; index < numResamples; index++) {
    for (const [place, stratum] of strata.entries()) {
      const out = drawn[place]!;
      for (let draw = 0; draw < stratum.length; draw++)
        out[draw] = stratum[Math.floor(uniform(counter++) * stratum.length)]!;
    }
    visit(drawn, index);
  }
}
