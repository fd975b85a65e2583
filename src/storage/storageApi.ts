import type { ExperimentSpec } from '../config/experimentSpec';
import type { SpecIssue } from '../config/specIssue';
import type { Notebook } from '../notebook/notebook';
import type { TrainerEvent, TrainerPhase } from '../protocol/trainerApi';

/**
 * What the page keeps of runs and notebooks in this browser. Types only; `openBrowserStorage` gives one.
 *
 * Nothing here throws for what a browser, a disk or another tab does: every call resolves to a tagged result, and a refusal says in
 * words what was not kept and what to do. Times are ms since 1970 as an integer or fraction (`Date.now()`).
 */

/** Outcome of opening. Without storage the page works on and keeps nothing. */
export type OpenedStorage = { readonly ok: true; readonly storage: RunStorage } | OpenRefusal;

export interface OpenRefusal {
  readonly ok: false;
  /**
   * `unavailable`: the browser has no such storage here, or refuses it (private window, site data blocked).
   * `newerVersion`: the data was written by a newer Marlbook; nothing was touched.
   * `blocked`: another tab with an older Marlbook holds the data open.
   */
  readonly reason: 'unavailable' | 'newerVersion' | 'blocked';
  /** For people: what happened and what to do. */
  readonly message: string;
}

export interface RunStorage {
  /** The row of a new run, before anything has happened in it. A run id that exists is refused as `conflict`. */
  createRun(run: NewRun): Promise<RunWrite>;
  /**
   * Adds what happened since the last batch, all of it or nothing, in one transaction. Calls for one run take effect in the order
   * in which they were made. Iterations must follow the saved ones without a gap, from 0; else `conflict`, and nothing is written.
   *
   * Whoever calls keeps a batch until its outcome is `ok`: a refused one is not remembered here.
   */
  appendToRun(runId: string, batch: RunBatch): Promise<RunWrite>;
  /** Everything that is kept of a run. */
  readRun(runId: string): Promise<ReadRun>;
  /** All runs, newest first; of one notebook, if one is named. Damaged rows are told apart and harm no other. */
  listRuns(notebookId?: string): Promise<ListedRuns>;
  /** Rows, episodes and checkpoints. A run that is not there is deleted already: `ok`. */
  deleteRun(runId: string): Promise<WriteOutcome>;
  /**
   * Removes all that came after an iteration, checkpoints of later ones too, so that the run goes on from there: its phase is then
   * `paused`. Episodes that were forgotten since do not come back. An iteration beyond the last one changes nothing but the phase.
   */
  truncateRun(runId: string, iteration: number): Promise<RunWrite>;
  /** Lets writes of a run through again that are refused since space ran out. */
  retryRun(runId: string): void;
  /** What the latest write of each run that is refused at the moment was told; null = writes of this run pass. */
  refusalOf(runId: string): WriteRefusal | null;

  /**
   * Keeps the bytes as the run's checkpoint of a saved iteration. It counts once it is complete; then all but the newest two are
   * removed. An iteration that is not saved yet is refused as `conflict`. `bytes` must not change until the promise has resolved.
   */
  writeCheckpoint(runId: string, iteration: number, bytes: Uint8Array): Promise<RunWrite>;
  /** The newest checkpoint that is whole (length and CRC-32), and why newer ones were passed over. */
  readCheckpoint(runId: string): Promise<ReadCheckpoint>;

  /** The document without its runs, in place of the one before. */
  saveNotebook(notebookId: string, notebook: Notebook, at: number): Promise<WriteOutcome>;
  readNotebook(notebookId: string): Promise<ReadNotebook>;
  /** All notebooks, latest first. */
  listNotebooks(): Promise<ListedNotebooks>;
  /** The document alone: its runs are deleted one by one. */
  deleteNotebook(notebookId: string): Promise<WriteOutcome>;

  /** Asks to be the one tab that writes a notebook. Resolves at once, as writer or as reader. */
  claimNotebook(notebookId: string): Promise<NotebookClaim>;
  /** Ids of the notebooks that some tab writes, this one or another. */
  claimedNotebooks(): Promise<ReadonlySet<string>>;
  /** What other tabs have written. Returns how to end that. */
  onNews(listener: (news: StorageNews) => void): () => void;

  /** Asks the browser not to clear the data when the disk is full. Null where it cannot be asked. */
  requestPersistence(): Promise<boolean | null>;
  /** Null where the browser does not tell. */
  estimateSpace(): Promise<StorageSpace | null>;
  /** Called once, should the data be closed under the page: by a newer version in another tab, or by the browser. Returns how to end that. */
  onClosed(listener: (refusal: WriteRefusal) => void): () => void;
  /** Waits for writes under way, then closes everything. Later calls are refused as `closed`. */
  close(): Promise<void>;
}

export interface WriteRefusal {
  readonly ok: false;
  /**
   * `quota`: no space left. Later writes of the same run are refused likewise until `retryRun`; nothing is deleted for it.
   * `missing`: no such run. `conflict`: does not follow what is saved, because another tab wrote or a batch was left out.
   * `damaged`: what is saved cannot be read, so nothing is added to it.
   * `closed`: the data is no longer open. `failed`: anything else that the browser reported.
   */
  readonly reason: 'quota' | 'missing' | 'conflict' | 'damaged' | 'closed' | 'failed';
  /** For people: what was not kept, why, and what to do. */
  readonly message: string;
}

export type WriteOutcome = { readonly ok: true } | WriteRefusal;

/** Either way says what is safe: iterations up to this one are saved, later ones are not; null = none, or not known. */
export type RunWrite = WriteOutcome & { readonly lastSavedIteration: number | null };

export interface NewRun {
  /** Letters, digits, `-` and `_`, at most 64: `crypto.randomUUID()`. */
  readonly runId: string;
  /** Likewise. */
  readonly notebookId: string;
  /** Id of the experiment cell. */
  readonly experiment: string;
  readonly spec: ExperimentSpec;
  readonly startedAt: number;
  readonly versions: { readonly marlbook: string; readonly browser: string };
  readonly userAgent: string;
}

export interface RunHead extends NewRun {
  /** Of the specification as it ran; settings that are newer than the run are not in it. */
  readonly specHash: string;
}

/** Where a run stands, as the page says. */
export interface RunStanding {
  /** Of a run that is found so after a reload: `finished`, `stopped` and `failed` are over, anything else was cut off. */
  readonly phase: TrainerPhase | 'paused' | 'finished' | 'stopped' | 'failed';
  /** Why it failed. */
  readonly message: string | null;
  /** Null while it is not over. */
  readonly endedAt: number | null;
}

/** What the trainer tells and storage keeps, as it came. */
export type KeptEvent = Extract<
  TrainerEvent,
  { readonly kind: 'policies' | 'iteration' | 'throughput' | 'notice' }
>;

export interface RunBatch {
  /** In the order in which they came; may be empty. */
  readonly events: readonly KeptEvent[];
  /** After them. */
  readonly standing: RunStanding;
}

export interface RunSummary {
  readonly head: RunHead;
  readonly standing: RunStanding;
  /** Null before iteration 0. */
  readonly lastSavedIteration: number | null;
  /** When the run was last written to. */
  readonly savedAt: number;
  /** Iterations of its checkpoints, increasing. */
  readonly checkpoints: readonly number[];
}

export interface StoredRun extends RunSummary {
  /**
   * As they came, every bit of every number, so that the page can take them in once more. Of episodes and group records those that the page keeps,
   * too (`keepTranscripts`, `keepGroups`): in older iterations these lists are empty or shorter.
   */
  readonly events: readonly KeptEvent[];
}

export type ReadRun =
  | { readonly ok: true; readonly run: StoredRun }
  | {
      readonly ok: false;
      readonly reason: 'missing' | 'damaged' | 'closed' | 'failed';
      readonly message: string;
      /** What is wrong where; empty unless `damaged`. */
      readonly issues: readonly SpecIssue[];
      /** The whole iterations before the first damage; null where the head itself cannot be read, and unless `damaged`. */
      readonly intact: StoredRun | null;
    };

/** A row that cannot be read. It stays as it is until it is deleted. */
export interface DamagedRow {
  /** Key of the row, as text: deletes it. */
  readonly id: string;
  readonly issues: readonly SpecIssue[];
}

export type ListedRuns =
  | {
      readonly ok: true;
      readonly runs: readonly RunSummary[];
      readonly damaged: readonly DamagedRow[];
    }
  | ReadFailure;

export interface ReadFailure {
  readonly ok: false;
  readonly reason: 'closed' | 'failed';
  readonly message: string;
}

/** A checkpoint that was passed over. */
export interface SkippedCheckpoint {
  readonly iteration: number;
  /** For people. */
  readonly reason: string;
}

export type ReadCheckpoint =
  | {
      readonly ok: true;
      readonly iteration: number;
      readonly bytes: Uint8Array;
      /** Newer ones, newest first. */
      readonly skipped: readonly SkippedCheckpoint[];
    }
  | {
      readonly ok: false;
      /** `none`: there is none, or none that is whole. */
      readonly reason: 'none' | 'closed' | 'failed';
      readonly message: string;
      readonly skipped: readonly SkippedCheckpoint[];
    };

export type ReadNotebook =
  | { readonly ok: true; readonly notebook: Notebook; readonly savedAt: number }
  | {
      readonly ok: false;
      readonly reason: 'missing' | 'damaged' | 'closed' | 'failed';
      readonly message: string;
      readonly issues: readonly SpecIssue[];
      /** What is saved, for people to look at or download; null where there is no text. */
      readonly text: string | null;
    };

export interface NotebookSummary {
  readonly notebookId: string;
  readonly title: string;
  readonly savedAt: number;
}

export type ListedNotebooks =
  | {
      readonly ok: true;
      readonly notebooks: readonly NotebookSummary[];
      readonly damaged: readonly DamagedRow[];
    }
  | ReadFailure;

/** One tab's standing with a notebook. */
export interface NotebookClaim {
  /** True for one tab of all. A reader becomes the writer when the writer leaves: read the notebook anew then. */
  isWriter(): boolean;
  /** Calls back when `isWriter` has changed. Returns how to end that. */
  onChange(listener: (isWriter: boolean) => void): () => void;
  /** Becomes the writer at once; the tab that was it becomes a reader, and is told. */
  takeOver(): void;
  /** Leaves; the next tab in line becomes the writer. */
  release(): void;
}

/** Something was written by another tab. */
export type StorageNews =
  | {
      readonly kind: 'runSaved';
      readonly runId: string;
      readonly notebookId: string;
      readonly lastSavedIteration: number | null;
    }
  | { readonly kind: 'runDeleted'; readonly runId: string }
  | { readonly kind: 'notebookSaved'; readonly notebookId: string; readonly savedAt: number }
  | { readonly kind: 'notebookDeleted'; readonly notebookId: string };

export interface StorageSpace {
  /** Of this site. Unit: bytes. */
  readonly usageBytes: number;
  readonly quotaBytes: number;
}
