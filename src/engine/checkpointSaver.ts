import type { TrainerListener } from '../protocol/trainerApi';

/** When a run is written down, and who is told. */

interface Saving {
  /** Iterations from one checkpoint to the next; null = only when asked. */
  readonly every: number | null;
  /** The iteration that the run goes on from; null for a run from its start. */
  readonly resumedAt: number | null;
  /** The run as it stands. Throws a RangeError where a number is not finite. */
  readonly write: (iteration: number) => Promise<ArrayBuffer>;
  readonly emit: TrainerListener;
}

/** To be used between two iterations only; `iteration` is the last that was done. */
export interface CheckpointSaver {
  /** Takes a checkpoint and resolves with `iteration`; one an iteration is enough. Rejects with a RangeError as `write`. */
  save(iteration: number): Promise<number>;
  /** Takes one if the iteration is due. */
  saveIfDue(iteration: number): Promise<void>;
  /** Takes the last one of a run that takes any, so that it can be gone on with from its end. */
  saveLast(iteration: number): Promise<void>;
}

export function createCheckpointSaver({ every, resumedAt, write, emit }: Saving): CheckpointSaver {
  let savedAt: number | null = null;
  let isFaultTold = false;
  const save = async (iteration: number): Promise<number> => {
    if (iteration === savedAt) return iteration;
    const bytes = await write(iteration);
    savedAt = iteration;
    emit({ kind: 'checkpoint', iteration, bytes });
    return iteration;
  };
  /** A run that cannot be written down goes on all the same. */
  const saveOrTell = async (iteration: number): Promise<void> => {
    if (iteration === resumedAt) return;
    try {
      await save(iteration);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      if (!isFaultTold)
        emit({
          kind: 'notice',
          message: `No checkpoint could be taken after iteration ${iteration}: ${error.message} Earlier checkpoints stay as they are.`,
        });
      isFaultTold = true;
    }
  };
  return {
    save,
    async saveIfDue(iteration) {
      if (every !== null && iteration % every === 0) await saveOrTell(iteration);
    },
    async saveLast(iteration) {
      if (every !== null) await saveOrTell(iteration);
    },
  };
}
