/** What the list of stored runs shows. */

export interface StoredRunEntry {
  readonly id: string;
  /** Of the experiment as it ran. */
  readonly title: string;
  readonly iteration: number;
  readonly iterations: number;
  /** When it was last written to. Unit: ms since 1970. */
  readonly savedAt: number;
  /** `open`: neither finished nor stopped; the page was left, or it is at work in some tab. */
  readonly ended: 'completed' | 'stopped' | 'failed' | 'open';
}

export interface StoredNotebookEntry {
  readonly id: string;
  readonly title: string;
  /** When it or a run of it was last written. Unit: ms since 1970. */
  readonly savedAt: number;
  /** Which tab has it open: this one, another one, or none. */
  readonly openIn: 'here' | 'elsewhere' | 'nowhere';
  /** Newest first. */
  readonly runs: readonly StoredRunEntry[];
}

export interface DamagedEntry {
  readonly kind: 'notebook' | 'run';
  /** Deletes it. */
  readonly id: string;
  /** A sentence. */
  readonly what: string;
}

export interface StoredListing {
  /** The last written first. */
  readonly notebooks: readonly StoredNotebookEntry[];
  /** What is stored and cannot be read. */
  readonly damaged: readonly DamagedEntry[];
  /** Of everything this site stores. Unit: bytes; null where the browser does not say. */
  readonly usage: number | null;
  readonly quota: number | null;
  /** The browser deletes nothing by itself; null where it does not say. */
  readonly isPersistent: boolean | null;
}
