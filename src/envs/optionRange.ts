interface OptionRange {
  readonly min: number;
  readonly max: number;
  readonly isInteger: boolean;
}

/**
 * Throws RangeError when an option of a world lies outside its range. The ranges are those that the rules need;
 * a form may allow less.
 */
export function assertOption(name: string, value: number, range: OptionRange): void {
  const { min, max, isInteger } = range;
  const isOfKind = isInteger ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (isOfKind && value >= min && value <= max) return;
  const kind = isInteger ? 'an integer' : 'a number';
  throw new RangeError(`${name} is ${value}: expected ${kind} from ${min} to ${max}.`);
}

/** Sizes above this have no place in a vocabulary that a small transformer learns. */
export const maxTableSize = 4096;
