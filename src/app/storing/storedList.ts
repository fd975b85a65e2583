/** What the list of stored runs shows. */

export interface StoredRunEntry {
  readonly id: string;
  /** Of the experiment as it ran. */
  readonly title: string;
  readonly iteration: number;
  readonly iterations: number;
  /** When it last logged something, ISO 8601. */
  readonly date: string;
  readonly bytes: number;
  /** `open`: neither finished nor stopped; the page was left, or it is at work in some tab. */
  readonly ended: 'completed' | 'stopped' | 'failed' | 'open';
}

export interface StoredNotebookEntry {
  readonly id: string;
  readonly title: string;
  /** When it was last written, ISO 8601. */
  readonly date: string;
  /** Which tab has it open: this one, another one, or none. */
  readonly openIn: 'here' | 'elsewhere' | 'nowhere';
  /** Newest first. */
  readonly runs: readonly StoredRunEntry[];
}

export interface StoredListing {
  /** The last written first. */
  readonly notebooks: readonly StoredNotebookEntry[];
  /** What is stored and cannot be read, in sentences. */
  readonly damages: readonly string[];
  /** Of everything this site stores. Unit: bytes; null where the browser does not say. */
  readonly usage: number | null;
  readonly quota: number | null;
  /** The browser deletes nothing by itself; null where it does not say. */
  readonly isPersistent: boolean | null;
}
