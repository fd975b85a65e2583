import type { ReadFailure, RunWrite, WriteRefusal } from './storageApi';

/** What a browser reports, in words. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (text === '') return 'The browser gave no reason.';
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Full disks are reported under several names. */
function isOutOfSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'QuotaExceededError' || /\bfull disk\b|\bdisk is full\b/i.test(error.message)
  );
}

export function refusalOfClosed(message: string): WriteRefusal {
  return { ok: false, reason: 'closed', message };
}

/** @param what begins a sentence: `Iterations 3 to 5 of the run` */
export function refusalOf(error: unknown, what: string): WriteRefusal {
  if (isOutOfSpace(error))
    return {
      ok: false,
      reason: 'quota',
      message: `${what} could not be saved: the browser has no space left for this page. Nothing was deleted to make room. Delete runs that are no longer needed, or free space on the disk, then try again.`,
    };
  return {
    ok: false,
    reason: 'failed',
    message: `${what} could not be saved: ${reasonOf(error)} Try again, or reload the page.`,
  };
}

export function missingRun(): RunWrite {
  const message =
    'The run is not saved in this browser (any more): it was deleted, or its beginning could not be saved. Save it from its beginning.';
  return { ok: false, reason: 'missing', message, lastSavedIteration: null };
}

export function unreadableRun(lastSavedIteration: number | null): RunWrite {
  const message =
    'What is saved of the run cannot be read, so nothing of it was changed. Export the run from the page, or save it under another id.';
  return { ok: false, reason: 'damaged', message, lastSavedIteration };
}

export function conflict(message: string, lastSavedIteration: number | null): RunWrite {
  return { ok: false, reason: 'conflict', message, lastSavedIteration };
}

/** @param closed why nothing can be read any more; null while it can */
export function readFailure(closed: WriteRefusal | null, error: unknown): ReadFailure {
  if (closed !== null) return { ok: false, reason: 'closed', message: closed.message };
  return {
    ok: false,
    reason: 'failed',
    message: `What is saved could not be read: ${reasonOf(error)} Try again, or reload the page.`,
  };
}
