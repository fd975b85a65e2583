import { create } from 'zustand';
import type { DamagedEntry, StoredListing } from './storedList';

/** A notebook that the browser has kept and that the page could open. */
export interface KeptOffer {
  readonly id: string;
  /** Empty where it has none. */
  readonly title: string;
  /** Its runs, newest first. */
  readonly runs: readonly { readonly iteration: number; readonly iterations: number }[];
}

/** What can be done with what is kept. `list` and what changes it reject with an Error whose message is for the reader. */
export interface KeptActions {
  /** Puts a notebook on the page with its runs, or with one of them; says what came of it where it was opened, or why not. */
  readonly open: (id: string, runId?: string) => Promise<void>;
  /** Offers it no more. */
  readonly leave: (id: string) => void;
  readonly list: () => Promise<StoredListing>;
  readonly deleteRun: (runId: string) => Promise<void>;
  /** With all of its runs. */
  readonly deleteNotebook: (id: string) => Promise<void>;
  readonly deleteDamaged: (entry: DamagedEntry) => Promise<void>;
  /** Asks the browser to delete nothing by itself; what it answers. */
  readonly persist: () => Promise<boolean>;
  /** Takes the keeping of the notebook on the page over from another tab. */
  readonly keepHere: () => void;
}

interface Kept {
  readonly offer: KeptOffer | null;
  /** The notebook on the page is open in another tab, which keeps it. */
  readonly isElsewhere: boolean;
  /** Why what was kept earlier cannot be read; null where it can. */
  readonly damage: string | null;
  /** Why this window stores nothing at all; null where it does, or where that is not known yet. */
  readonly unavailable: string | null;
  /** Null until storing has started. */
  readonly actions: KeptActions | null;
}

/** What the browser has kept beside what is on the page. */
export const useKept = create<Kept>(() => ({
  offer: null,
  isElsewhere: false,
  damage: null,
  unavailable: null,
  actions: null,
}));
