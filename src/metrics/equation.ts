import { formatNumber } from './format';

/** A formula with this moment's numbers in it. */
export interface Equation {
  readonly symbols: string;
  readonly numbers: string;
  /** Computed from the numbers in full precision. */
  readonly result: number;
  /** `value`: the logged value, got again from other logged numbers. `derived`: something else that follows from it. */
  readonly gives: 'value' | 'derived';
  /** What the result is; continues `…, `. Empty where it is the metric itself. */
  readonly says: string;
}

/** An equation, a sentence where there is nothing to compute, or null where a part is missing. */
export type Step = Equation | string | null;

type NumbersOf<T extends readonly unknown[]> = { readonly [K in keyof T]: number };

/** `make` of the numbers, or null unless all of them are there and finite, and so is what comes out. */
export function withAll<const T extends readonly (number | null | undefined)[]>(
  parts: T,
  make: (numbers: NumbersOf<T>) => Equation,
): Equation | null {
  if (!areNumbers(parts)) return null;
  const made = make(parts);
  return Number.isFinite(made.result) ? made : null;
}

function areNumbers<T extends readonly (number | null | undefined)[]>(
  parts: T,
): parts is T & NumbersOf<T> {
  return parts.every((part) => typeof part === 'number' && Number.isFinite(part));
}

/** What stands before the numbers, and what comes of them; see `Equation`. */
interface Derived {
  readonly symbols: string;
  readonly says: string;
}

/** `3.2/1.6`: how many times one holds the other. Null where one of them is missing. */
export function quotient(
  over: number | null | undefined,
  under: number | null | undefined,
  { symbols, says }: Derived,
): Equation | null {
  return withAll([over, under], ([a, b]) => ({
    symbols,
    numbers: `${formatNumber(a)}/${formatNumber(b)}`,
    result: a / b,
    gives: 'derived',
    says,
  }));
}

/** How much lies between two numbers. Null where one of them is missing. */
export function difference(
  from: number | null | undefined,
  less: number | null | undefined,
  { symbols, says }: Derived,
): Equation | null {
  return withAll([from, less], ([a, b]) => ({
    symbols,
    numbers: differenceText(a, b),
    result: a - b,
    gives: 'derived',
    says,
  }));
}

const wholes = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** A count with all its digits: 1,234,567. */
export function whole(count: number): string {
  return wholes.format(count);
}

/** A share as the count behind it: `94 / 96`. Null where share × of is no whole number, and so no count of these. */
export function countOf(
  share: number | undefined,
  of: number | null | undefined,
  symbols: string,
): Equation | null {
  return withAll([share, of], ([part, total]) => {
    const count = Math.round(part * total);
    const isCount = total > 0 && Math.abs(part * total - count) < 1e-6 * Math.max(1, total);
    return {
      symbols,
      numbers: `${whole(count)} / ${whole(total)}`,
      result: isCount ? count / total : NaN,
      gives: 'value',
      says: '',
    };
  });
}

/** `0.3438 − 0.3309`, with as many digits as it takes to read the difference to three. */
function differenceText(from: number, less: number): string {
  const size = Math.abs(from - less);
  const decimals = size === 0 ? 3 : Math.max(0, 2 - Math.floor(Math.log10(size)));
  // A difference that small is rounding: more digits would say nothing.
  const digits = Math.min(9, decimals);
  const text = (value: number): string => value.toFixed(digits).replace('-', '−');
  return `${text(from)} − ${text(less)}`;
}

/** `low + high = 0.021 + 0.034 = 0.055`, and what that is. */
export function equationText({ symbols, numbers, result, says }: Equation): string {
  const sum = `${symbols} = ${numbers} = ${formatNumber(result)}`;
  return says === '' ? sum : `${sum}, ${says}`;
}
