import { formatNumber } from '../metrics/format';
import type { ClaimStatement } from './claimCell';

/** What the numbers say about a statement. */
type ClaimOutcome = 'reproduced' | 'notReproduced' | 'cannotBeJudged';

/** One side of a statement. Null: nothing (finite) was logged. NaN counts as no value, ±Infinity as one. */
export interface SideValues {
  /** As live values and tables show it. */
  readonly overSeeds: number | null;
  /** In the order of the seeds. */
  readonly bySeed: readonly (number | null)[];
}

/** What a claim is judged by. */
export type ClaimEvidence =
  | { readonly kind: 'noRun' }
  /** The claim names what its experiment does not have (any more). */
  | { readonly kind: 'broken'; readonly message: string }
  | {
      readonly kind: 'values';
      /** Of the run. */
      readonly seeds: readonly number[];
      readonly left: SideValues;
      readonly right: SideValues;
      /** The run was made with other settings than the experiment now has. */
      readonly isStale: boolean;
      /** By the slowest arm and seed of the statement. */
      readonly iterations: { readonly done: number; readonly planned: number };
    };

/** One seed compared with itself. */
export interface SeedVerdict {
  readonly seed: number;
  readonly left: number | null;
  readonly right: number | null;
  /** Null where a side has no value. */
  readonly holds: boolean | null;
}

export interface ClaimVerdict {
  readonly kind: ClaimOutcome | 'notRun' | 'stale';
  /** What the numbers that are there say, stale ones included; null where there are none. */
  readonly outcome: ClaimOutcome | null;
  /** For the page: one or two sentences. */
  readonly sentence: string;
  /** Over all seeds. */
  readonly left: number | null;
  readonly right: number | null;
  readonly seeds: readonly SeedVerdict[];
  readonly numHolding: number;
  /** N: seeds with a value on both sides. */
  readonly numCompared: number;
  /** Seeds of the run without one. */
  readonly missingSeeds: readonly number[];
}

type Relation = ClaimStatement['relation'];

export const relationSigns: Readonly<Record<Relation, string>> = {
  less: '<',
  atMost: '≤',
  atLeast: '≥',
  greater: '>',
};

function holdsFor(relation: Relation, left: number, right: number): boolean {
  switch (relation) {
    case 'less':
      return left < right;
    case 'atMost':
      return left <= right;
    case 'atLeast':
      return left >= right;
    case 'greater':
      return left > right;
  }
}

/** Null where a side has no value: that is neither true nor false. */
function compared(relation: Relation, left: number | null, right: number | null): boolean | null {
  const isMissing = left === null || right === null || Number.isNaN(left) || Number.isNaN(right);
  return isMissing ? null : holdsFor(relation, left, right);
}

/**
 * The verdict on a claim. With `inAtLeast` every seed is compared with itself: reproduced where enough seeds hold, not reproduced
 * where too few would even if all that have no value did, and not to be judged in between. Without it, the numbers over all seeds are
 * compared once. Seeds without a value are named, and count for neither side.
 */
export function claimVerdict(statement: ClaimStatement, evidence: ClaimEvidence): ClaimVerdict {
  if (evidence.kind === 'noRun') return withoutNumbers('notRun', 'The experiment has not run yet.');
  if (evidence.kind === 'broken') return withoutNumbers('cannotBeJudged', evidence.message);
  const { seeds, left, right, isStale, iterations } = evidence;
  const bySeed = seeds.map((seed, position): SeedVerdict => {
    const [own, other] = [left.bySeed[position] ?? null, right.bySeed[position] ?? null];
    return { seed, left: own, right: other, holds: compared(statement.relation, own, other) };
  });
  const numbers = {
    left: left.overSeeds,
    right: right.overSeeds,
    seeds: bySeed,
    numHolding: bySeed.filter(({ holds }) => holds === true).length,
    numCompared: bySeed.filter(({ holds }) => holds !== null).length,
    missingSeeds: bySeed.filter(({ holds }) => holds === null).map(({ seed }) => seed),
  };
  const { outcome, sentence } =
    statement.inAtLeast === undefined
      ? judgedOnce(statement, numbers)
      : judgedBySeed(statement.inAtLeast, numbers);
  const named = [sentence, missingText(numbers.missingSeeds)].filter((part) => part !== '');
  const isInterim = iterations.done < iterations.planned;
  const so = isInterim ? `After ${iterations.done} of ${iterations.planned} iterations: ` : '';
  const then = isStale ? 'Run again: the settings have changed since. As it ran: ' : '';
  return {
    ...numbers,
    kind: isStale ? 'stale' : outcome,
    outcome,
    sentence: `${then}${so}${named.join(' ')}`,
  };
}

const noNumbers = {
  left: null,
  right: null,
  seeds: [],
  numHolding: 0,
  numCompared: 0,
  missingSeeds: [],
};

function withoutNumbers(kind: 'notRun' | 'cannotBeJudged', sentence: string): ClaimVerdict {
  const outcome = kind === 'notRun' ? null : kind;
  return { ...noNumbers, kind, outcome, sentence };
}

type Numbers = Omit<ClaimVerdict, 'kind' | 'outcome' | 'sentence'>;
interface Judged {
  readonly outcome: ClaimOutcome;
  readonly sentence: string;
}

function judgedOnce({ relation }: ClaimStatement, { left, right, numCompared }: Numbers): Judged {
  const holds = compared(relation, left, right);
  if (holds === null || left === null || right === null)
    return { outcome: 'cannotBeJudged', sentence: 'Not both sides have a value.' };
  const sides = `${formatNumber(left)} ${holds ? '' : 'is not '}${relationSigns[relation]} ${formatNumber(right)}`;
  const over = `over ${counted(numCompared, 'seed')}`;
  return holds
    ? { outcome: 'reproduced', sentence: `Holds: ${sides}, ${over}.` }
    : { outcome: 'notReproduced', sentence: `Does not hold: ${sides}, ${over}.` };
}

function judgedBySeed(asked: number, { seeds, numHolding, numCompared }: Numbers): Judged {
  if (seeds.length < asked)
    return {
      outcome: 'cannotBeJudged',
      sentence: `At least ${counted(asked, 'seed')} were asked and the run has ${seeds.length}: add seeds, or ask for fewer.`,
    };
  const sentence = `Holds in ${numHolding} of ${counted(numCompared, 'seed')}; at least ${asked} ${asked === 1 ? 'was' : 'were'} asked.`;
  if (numHolding >= asked) return { outcome: 'reproduced', sentence };
  const couldHold = numHolding + (seeds.length - numCompared);
  return { outcome: couldHold < asked ? 'notReproduced' : 'cannotBeJudged', sentence };
}

function missingText(seeds: readonly number[]): string {
  if (seeds.length === 0) return '';
  return `No pair of values in ${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
