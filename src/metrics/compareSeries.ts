import { metricCatalog, type MetricKey } from './catalog';
import { points, seenScope, teamId, type RunSeries, type SeriesKey } from './runSeries';
import { excess, toleranceKinds, tolerances, type ToleranceKind } from './seriesTolerance';

/** A run beside the same run made again: number by number, as they were logged. */

/** Two numbers of one iteration, and how far they are apart. */
interface Apart {
  readonly iteration: number;
  readonly original: number;
  readonly again: number;
  /** |Δ| in units of what is allowed. */
  readonly excess: number;
}

/** How one line of numbers came out. A line is what it is at its worst; of two faults the first counts. */
export type SeriesVerdict = SeriesKey & {
  readonly tolerance: ToleranceKind;
  /** Of the original, in the compared iterations. */
  readonly numValues: number;
  /** Those that are equal to the last bit; NaN equals NaN. */
  readonly numIdentical: number;
} & (
    | { readonly kind: 'identical' }
    /** At its largest distance. */
    | ({ readonly kind: 'within' } & Apart)
    /** Where it first is further away than allowed. */
    | ({ readonly kind: 'differs' } & Apart)
    /** Where one of the two first has no number. */
    | {
        readonly kind: 'missing';
        readonly iteration: number;
        readonly absentIn: 'original' | 'again';
      }
  );

type SeriesVerdictKind = SeriesVerdict['kind'];

export interface RunComparison {
  /** The last iteration that both have been through; −1 = none. */
  readonly lastIteration: number;
  /** Worst first. */
  readonly series: readonly SeriesVerdict[];
  readonly counts: Readonly<Record<SeriesVerdictKind, number>>;
  readonly numValues: number;
  readonly numIdentical: number;
  /** Lines that only the second run has: a file need not keep all. */
  readonly numNotRecorded: number;
}

const metricKeys = Object.keys(metricCatalog).filter((key): key is MetricKey =>
  Object.hasOwn(metricCatalog, key),
);

/**
 * Every line of `original` beside that of `again`, iterations 0 to `lastIteration`. Neither is changed. Times are no metrics and not
 * compared. O(number of values).
 */
export function compareSeries(
  original: RunSeries,
  again: RunSeries,
  lastIteration: number,
): RunComparison {
  const verdicts = keysOf(original).flatMap((key) =>
    verdictsOf(key, original, again, lastIteration),
  );
  const counts = { identical: 0, within: 0, differs: 0, missing: 0 };
  for (const { kind } of verdicts) counts[kind] += 1;
  return {
    lastIteration,
    series: verdicts.toSorted(byWorst),
    counts,
    numValues: sum(verdicts.map(({ numValues }) => numValues)),
    numIdentical: sum(verdicts.map(({ numIdentical }) => numIdentical)),
    numNotRecorded: keysOf(again).filter((key) => points(original, key).values.length === 0).length,
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Of all lines, replica by replica in the order of the run. */
function keysOf(series: RunSeries): SeriesKey[] {
  const { arms, seeds, agents } = seenScope(series);
  return arms
    .flatMap((arm) =>
      seeds.flatMap((seed) =>
        [...agents, teamId].flatMap((agent) =>
          metricKeys.map((metric) => ({ arm, seed, agent, metric })),
        ),
      ),
    )
    .filter((key) => points(series, key).values.length > 0);
}

/** None for a line whose numbers all come later. */
function verdictsOf(
  key: SeriesKey,
  original: RunSeries,
  again: RunSeries,
  lastIteration: number,
): SeriesVerdict[] {
  const ours = upTo(points(original, key), lastIteration);
  if (ours.size === 0) return [];
  const theirs = upTo(points(again, key), lastIteration);
  const kind = toleranceKinds[key.metric];
  const about = {
    ...key,
    tolerance: kind,
    numValues: ours.size,
    numIdentical: [...ours].filter(
      ([iteration, value]) => theirs.has(iteration) && Object.is(value, theirs.get(iteration)),
    ).length,
  };
  let worst: Apart | null = null;
  for (const iteration of [...new Set([...ours.keys(), ...theirs.keys()])].toSorted(
    (a, b) => a - b,
  )) {
    const [was, is] = [ours.get(iteration), theirs.get(iteration)];
    if (was === undefined) return [{ ...about, kind: 'missing', iteration, absentIn: 'original' }];
    if (is === undefined) return [{ ...about, kind: 'missing', iteration, absentIn: 'again' }];
    if (Object.is(was, is)) continue;
    const apart = {
      iteration,
      original: was,
      again: is,
      excess: excess(was, is, tolerances[kind]),
    };
    if (apart.excess > 1) return [{ ...about, kind: 'differs', ...apart }];
    if (worst === null || apart.excess > worst.excess) worst = apart;
  }
  return [
    worst === null ? { ...about, kind: 'identical' } : { ...about, kind: 'within', ...worst },
  ];
}

function upTo(
  { iterations, values }: ReturnType<typeof points>,
  lastIteration: number,
): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>();
  for (const [i, iteration] of iterations.entries())
    if (iteration <= lastIteration) numbers.set(iteration, values[i]!);
  return numbers;
}

const ranks: Readonly<Record<SeriesVerdictKind, number>> = {
  differs: 0,
  missing: 1,
  within: 2,
  identical: 3,
};

/** What went wrong earlier is worse, as what comes later follows from it; within the tolerance, what is further away. */
function byWorst(a: SeriesVerdict, b: SeriesVerdict): number {
  if (a.kind !== b.kind) return ranks[a.kind] - ranks[b.kind];
  if (a.kind === 'identical' || b.kind === 'identical') return 0;
  if (a.kind !== 'within' && a.iteration !== b.iteration) return a.iteration - b.iteration;
  // A difference of two infinite ones is none.
  return Math.sign(excessOf(b) - excessOf(a)) || 0;
}

function excessOf(verdict: SeriesVerdict): number {
  return 'excess' in verdict ? verdict.excess : 0;
}
