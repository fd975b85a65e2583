import type { WriteRefusal } from './storageApi';

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
