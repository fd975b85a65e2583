/** The last two checkpoints by number: one may be needed again when the next could not be kept everywhere. */
export interface KeptCheckpoints<T> {
  keep(checkpoint: number, value: T): void;
  /** Throws an Error that says which are there. */
  get(checkpoint: number): T;
}

export function createKeptCheckpoints<T>(): KeptCheckpoints<T> {
  const kept = new Map<number, T>();
  return {
    keep(checkpoint, value) {
      kept.set(checkpoint, value);
      for (const other of kept.keys())
        if (other !== checkpoint && other !== checkpoint - 1) kept.delete(other);
    },
    get(checkpoint) {
      const value = kept.get(checkpoint);
      if (value === undefined)
        throw new Error(
          `There is no checkpoint ${checkpoint}: ${kept.size === 0 ? 'none was kept' : `kept are ${[...kept.keys()].join(', ')}`}. Call keepCheckpoint() first.`,
        );
      return value;
    },
  };
}
