import { axisOver, type Axis } from './axis';
import { symlogTicks } from './symlog';

/** A symlog axis, and below which size of a value it is nearly linear. */
export interface SymlogAxis extends Axis {
  readonly linearBound: number;
}

/** Decades between the largest value and the linear part. */
const numDecades = 2;

/**
 * Symlog axis over the finite ones of `values`, 0 included: from the largest in size two decades down to the linear part around 0.
 * @param maxTicks ≥ 3
 */
export function symlogAxisOver(values: Iterable<number>, maxTicks: number): SymlogAxis {
  const { domain } = axisOver([0, ...values], 'linear', maxTicks);
  const [low, high] = domain;
  const size = Math.max(Math.abs(low), Math.abs(high));
  const linearBound = Number(`1e${Math.max(-290, Math.ceil(Math.log10(size)) - numDecades)}`);
  return { domain, ticks: symlogTicks({ low, high, linearBound }, maxTicks), linearBound };
}
