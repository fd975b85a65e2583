import { keyFromSeed, uniform } from '../../rl/rng';
import type { BootstrapOptions } from '../resampling';

type Draws = Pick<BootstrapOptions, 'numResamples' | 'uniform'>;

/** What a page passes: 0..1 from a seed. */
export function seededDraws(seed: number, numResamples: number): Draws {
  const key = keyFromSeed(seed);
  return { numResamples, uniform: (counter) => uniform(key, counter) };
}

/** Every ordered draw of strata of these sizes once: the resample is a number whose digits, in mixed base, are the draws. */
export function everyDraw(sizes: readonly number[]): Draws {
  const bases = sizes.flatMap((size) => Array.from({ length: size }, () => size));
  let numResamples = 1;
  const units = bases.map((base) => {
    const unit = numResamples;
    numResamples *= base;
    return unit;
  });
  return {
    numResamples,
    uniform: (counter) => {
      const draw = counter % bases.length;
      const resample = Math.floor(counter / bases.length);
      const digit = Math.floor(resample / units[draw]!) % bases[draw]!;
      return (digit + 0.5) / bases[draw]!;
    },
  };
}

/** The sequence that statistics.py draws from. */
export function weyl(counter: number): number {
  return ((counter + 1) * 0.6180339887498949) % 1;
}
