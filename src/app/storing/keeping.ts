import { create } from 'zustand';
import type { RunSeries } from '../../metrics/runSeries';

/** Why something is not kept. */
export type NotKeptReason =
  /** Bytes that the browser says are in use and allowed; null where it does not say. */
  | { readonly kind: 'full'; readonly usage: number | null; readonly quota: number | null }
  /** The browser lets this window store nothing. */
  | { readonly kind: 'forbidden' }
  /** The notebook is open in another tab, which keeps it. */
  | { readonly kind: 'otherTab' }
  /** Anything else, in a sentence. */
  | { readonly kind: 'failed'; readonly message: string };

/** How far a run is kept. */
export type RunKeeping =
  | { readonly kind: 'waiting' }
  /** Everything up to and with the iteration. */
  | { readonly kind: 'kept'; readonly iteration: number }
  /** `iteration`: the last one that was kept before; null = nothing of this run. */
  | {
      readonly kind: 'notKept';
      readonly reason: NotKeptReason;
      readonly iteration: number | null;
    }
  /** It was kept, and the reader has deleted it. */
  | { readonly kind: 'deleted' };

interface Keeping {
  /** By the numbers of a run, which are its own from its start to its end. */
  readonly runs: ReadonlyMap<RunSeries, RunKeeping>;
  /** What *Try again* does; null until storing has started. */
  readonly tryAgain: (() => void) | null;
}

/** What is known of the keeping of the runs on the page. */
export const useKeeping = create<Keeping>(() => ({ runs: new Map(), tryAgain: null }));

/** Notes how far a run is kept; no change where it says what was known. */
export function noteKeeping(series: RunSeries, keeping: RunKeeping): void {
  const { runs } = useKeeping.getState();
  const before = runs.get(series);
  if (before !== undefined && isSame(before, keeping)) return;
  useKeeping.setState({ runs: new Map(runs).set(series, keeping) });
}

/** Of plain values only: both written by the functions here. */
function isSame(a: RunKeeping, b: RunKeeping): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
