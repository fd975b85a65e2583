import { create, createStore, type StoreApi } from 'zustand';
import { useStore } from 'zustand';
import { useDesk, type Desk } from '../desks';
import type { RunState } from '../runState';
import type { Verdict } from './verdict';
import type { VerificationPlan } from './verificationPlan';

/** Where the verification of an experiment’s run stands. */
export type VerificationState =
  | { readonly kind: 'none' }
  /** It cannot be done now. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** There is something to know before it runs. */
  | { readonly kind: 'asked'; readonly plan: VerificationPlan }
  | {
      readonly kind: 'running';
      readonly plan: VerificationPlan;
      /** The run made again. */
      readonly run: StoreApi<RunState>;
      /** Asks it to stop before the next iteration. Asked a second time, ends it at once. */
      readonly stop: () => void;
    }
  | { readonly kind: 'done'; readonly verdict: Verdict };

export type VerificationStore = StoreApi<VerificationState>;

/** A desk outlives its notebook, and with it what was found of its run. */
const stores = new WeakMap<Desk, VerificationStore>();

export function verificationOf(desk: Desk): VerificationStore {
  const known = stores.get(desk);
  if (known !== undefined) return known;
  const store = createStore<VerificationState>(() => ({ kind: 'none' }));
  stores.set(desk, store);
  return store;
}

/** Of the experiment that this part of the page speaks of. */
export function useVerification(): VerificationState {
  return useStore(verificationOf(useDesk()));
}

interface Verifying {
  /** Id of the experiment whose run is being verified, and how to end that; null while none is. */
  readonly active: { readonly experiment: string; readonly stop: () => void } | null;
}

/** One at most, and none beside a run: they would share one GPU. */
export const useVerifying = create<Verifying>(() => ({ active: null }));

/** Why nothing else may run or be opened now; null where no verification is at work. */
export function verifyingReason({ active }: Verifying = useVerifying.getState()): string | null {
  return active === null
    ? null
    : `The run of ${active.experiment} is being verified: stop the verification first, or wait for its end.`;
}
