import type { NotKeptReason, RunKeeping } from './keeping';

/** What is said of the keeping of a run: in full, and where there is little room. */
export interface KeepingText {
  readonly full: string;
  readonly short: string;
  /** Something is to be known or done. */
  readonly isProblem: boolean;
}

export function keepingText(keeping: RunKeeping, isRunning: boolean): KeepingText {
  switch (keeping.kind) {
    case 'waiting':
      return same('Nothing of this run is kept yet.');
    case 'kept':
      return same(
        keeping.iteration === 0
          ? 'Kept up to its start'
          : `Kept up to iteration ${keeping.iteration}`,
      );
    case 'deleted':
      return same('Deleted from what this browser keeps');
    case 'notKept':
      return {
        full: `Not kept: ${reasonText(keeping.reason)}${afterText(keeping, isRunning)}`,
        short: keeping.iteration === null ? 'Not kept' : `Kept only up to ${keeping.iteration}`,
        isProblem: true,
      };
  }
}

function same(text: string): KeepingText {
  return { full: text, short: text, isProblem: false };
}

function afterText(
  { reason, iteration }: Extract<RunKeeping, { kind: 'notKept' }>,
  isRunning: boolean,
): string {
  const goesOn = isRunning && reason.kind !== 'otherTab' ? ' The run goes on in memory.' : '';
  if (iteration === null) return goesOn;
  const upTo = `kept up to iteration ${iteration}.`;
  return goesOn === '' ? ` K${upTo.slice(1)}` : `${goesOn.slice(0, -1)}; ${upTo}`;
}

/** A sentence with its full stop, to follow a colon. */
function reasonText(reason: NotKeptReason): string {
  switch (reason.kind) {
    case 'full':
      return `the browser’s storage is full${amountText(reason)}.`;
    case 'forbidden':
      return 'this window may not store anything (private window?).';
    case 'otherTab':
      return 'this notebook is kept by another tab.';
    case 'failed':
      return reason.message;
  }
}

function amountText({ usage, quota }: { usage: number | null; quota: number | null }): string {
  return usage === null || quota === null ? '' : ` (${sizeText(usage)} of ${sizeText(quota)})`;
}

/** A number of bytes as people read it: 840 kB, 12 MB, 1.4 GB. Decimal, as browsers and file managers show it. */
export function sizeText(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB'] as const;
  let value = bytes / 1000;
  let unit = 0;
  // 999.6 kB would round to 1000.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value);
  // A little is not nothing.
  if (bytes > 0 && digits === 0) return '1 kB';
  return `${digits} ${units[unit]}`;
}
