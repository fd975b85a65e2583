/** A training step that one library has compiled, or will compile at the first call. */
export interface Training {
  /** Issues one step and waits for nothing. */
  step(): void;
  /** Called after each step: lets a library that defers its work do it now. The others have nothing to do. */
  start(): Promise<void>;
  /** Waits for all steps issued so far. [R] loss of the last one, before its update. Unit: nats per token. */
  lastLosses(): Promise<number[]>;
}
