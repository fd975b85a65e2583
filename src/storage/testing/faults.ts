/** Faults of a browser, for tests: the n-th step of what is written fails, in the database or in a file. */

/**
 * `crash`: that step and everything after it fail, reads too, until it is over: the page is gone. `quota`: from that step on nothing
 * can be written for lack of space; deleting passes.
 */
export type FaultKind = 'crash' | 'quota';

export interface Faults {
  /** Fails at the step of this number, from 0, counted from now. */
  arm(kind: FaultKind, step: number): void;
  /** Ends all faults, and counts anew. */
  disarm(): void;
  /** Steps seen since then. */
  seen(): number;
  /** To be called at every step; gives what fails, if it does. */
  next(step: 'write' | 'remove'): FaultKind | null;
  /** Whether the page is gone. */
  isCrashed(): boolean;
}

export function createFaults(): Faults {
  let armed: { readonly kind: FaultKind; readonly step: number } | null = null;
  let seen = 0;
  const isPast = (): boolean => armed !== null && seen > armed.step;
  return {
    arm(kind, step) {
      armed = { kind, step };
      seen = 0;
    },
    disarm() {
      armed = null;
      seen = 0;
    },
    seen: () => seen,
    next(step) {
      seen += 1;
      if (armed === null || !isPast()) return null;
      return armed.kind === 'quota' && step === 'remove' ? null : armed.kind;
    },
    isCrashed: () => armed?.kind === 'crash' && isPast(),
  };
}

export function errorOf(kind: FaultKind): DOMException {
  return kind === 'quota'
    ? new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    : new DOMException('The page is gone.', 'AbortError');
}
