import { refusalOf } from './refusals';
import type { RunWrite, WriteOutcome, WriteRefusal } from './storageApi';

/**
 * Writes of one run, one after the other, each with an outcome. Once space has run out, later writes of the run are refused without
 * being tried: what is saved stays a beginning without gaps, and can be told exactly.
 */
export interface WriteGate {
  /** @param what begins a sentence: `Iterations 3 to 5 of the run` */
  write(runId: string, what: string, work: () => Promise<RunWrite>): Promise<RunWrite>;
  /** Likewise, outside any run. */
  writeAlone(what: string, work: () => Promise<WriteOutcome>): Promise<WriteOutcome>;
  /** Writes of the run before this have ended when `work` begins, and none begins before it ends. */
  inTurn<T>(runId: string, work: () => Promise<T>): Promise<T>;
  retry(runId: string): void;
  refusalOf(runId: string): WriteRefusal | null;
  /** Resolves when all writes under way have ended. */
  settled(): Promise<void>;
}

/** @param closed why nothing can be written; null while it can */
export function createWriteGate(closed: () => WriteRefusal | null): WriteGate {
  const refusals = new Map<string, WriteRefusal>();
  const lastSaved = new Map<string, number | null>();
  const turns = new Map<string, Promise<unknown>>();
  const underWay = new Set<Promise<unknown>>();
  const watch = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    void work.catch(() => undefined).finally(() => underWay.delete(work));
    return work;
  };
  const inTurn = <T>(runId: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(runId) ?? Promise.resolve()).then(work);
    const end = turn.catch(() => undefined);
    turns.set(runId, end);
    void end.then(() => {
      if (turns.get(runId) === end) turns.delete(runId);
    });
    return watch(turn);
  };
  const safe = (runId: string): number | null => lastSaved.get(runId) ?? null;
  return {
    inTurn,
    write: (runId, what, work) =>
      inTurn(runId, async () => {
        const refusal = closed() ?? refusals.get(runId);
        if (refusal !== undefined) return { ...refusal, lastSavedIteration: safe(runId) };
        try {
          const outcome = await work();
          lastSaved.set(runId, outcome.lastSavedIteration);
          return outcome;
        } catch (error) {
          const told = closed() ?? refusalOf(error, what);
          if (told.reason === 'quota') refusals.set(runId, told);
          return { ...told, lastSavedIteration: safe(runId) };
        }
      }),
    writeAlone: (what, work) =>
      watch(
        (async (): Promise<WriteOutcome> => {
          const refusal = closed();
          if (refusal !== null) return refusal;
          try {
            return await work();
          } catch (error) {
            return closed() ?? refusalOf(error, what);
          }
        })(),
      ),
    retry: (runId) => refusals.delete(runId),
    refusalOf: (runId) => refusals.get(runId) ?? null,
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
