import type { CriticApi, CriticCheckpoint } from '../protocol/criticApi';
import { isDeviceLost } from '../protocol/deviceLost';
import type { PolicyApi, PolicyCheckpoint, PolicyInfo } from '../protocol/policyApi';
import type { ExperienceStore } from './experienceStore';

/**
 * A lost device costs the part of the run that was under way: all policies and critics go back to where it began, and it is done again.
 * Parts are pure but for what policies, critics and the store of rollouts hold, so the second try gives what the first would have.
 */

interface Workers {
  readonly policies: readonly PolicyApi[];
  readonly critics: readonly CriticApi[];
}

/** What one try works with. */
interface Doors extends Workers {
  readonly store: ExperienceStore;
}

/** What was done again, why, and on what. */
export interface Recovered {
  readonly part: string;
  readonly reason: Error;
  /** Of the policies, on what they run on now. */
  readonly infos: readonly PolicyInfo[];
}

interface Recoverable extends Workers {
  /** Whether any of them is on a device that can be lost. Without one nothing is kept and parts are simply done. */
  readonly isAtRisk: boolean;
  /** Rollouts that wait when the run begins. Owned by the recovery from now on. */
  readonly store: ExperienceStore;
  /** Called once all are back where the part began. */
  readonly onRecovered: (recovered: Recovered) => void;
}

/** What policies, critics and the store hold between two parts. */
export interface Snapshot {
  /** Copies. */
  readonly policies: readonly PolicyCheckpoint[];
  readonly critics: readonly CriticCheckpoint[];
  /** To be read only. */
  readonly store: ExperienceStore;
}

export interface Recovery {
  /** Keeps the first checkpoint; to be called when all are created. */
  begin(): Promise<void>;
  /**
   * The part, done once and kept; again from its start after a lost device. It must use the doors that it is given: they are closed to what
   * is left of a try that failed, and its store is its own. `name`: for people. Throws what the part throws, and the loss after too many of them in a row.
   */
  run<T>(name: string, part: (doors: Doors) => Promise<T>): Promise<T>;
  /** To be called between parts. Where a device can be lost nothing is read from it: what was kept last is copied. */
  snapshot(): Promise<Snapshot>;
}

/** Losses of one part before it is given up: a device that cannot do this work is lost again and again. */
const mostTries = 4;

/** Doors for one try, and the end of it. */
function openTry({ policies, critics }: Workers): {
  readonly doors: Workers;
  /** Lets nothing in any more, and waits for what is under way. */
  close(): Promise<void>;
} {
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;
  const pass = async <T>(call: () => Promise<T>): Promise<T> => {
    if (isClosed) throw new Error('This part of the run was given up and begins again.');
    const result = call();
    underWay.add(result);
    try {
      return await result;
    } finally {
      underWay.delete(result);
    }
  };
  return {
    doors: {
      policies: policies.map((policy) => ({
        ...policy,
        sample: (calls) => pass(() => policy.sample(calls)),
        update: (batch) => pass(() => policy.update(batch)),
        score: (turns, under) => pass(() => policy.score(turns, under)),
        promptInfluence: (turns) => pass(() => policy.promptInfluence(turns)),
        keepReference: () => pass(() => policy.keepReference()),
      })),
      critics: critics.map((critic) => ({
        ...critic,
        values: (inputs) => pass(() => critic.values(inputs)),
        update: (inputs, targets) => pass(() => critic.update(inputs, targets)),
      })),
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(underWay);
    },
  };
}

export function createRecovery(recoverable: Recoverable): Recovery {
  const { policies, critics, isAtRisk, onRecovered } = recoverable;
  let kept = 0;
  let { store } = recoverable;
  const all = [...policies, ...critics];
  const keep = async (checkpoint: number): Promise<void> => {
    await Promise.all(all.map((holder) => holder.keepCheckpoint(checkpoint)));
    kept = checkpoint;
  };
  const goBack = async (): Promise<readonly PolicyInfo[]> => {
    const [infos] = await Promise.all([
      Promise.all(policies.map((policy) => policy.restoreCheckpoint(kept))),
      Promise.all(critics.map((critic) => critic.restoreCheckpoint(kept))),
    ]);
    return infos;
  };
  const copyKept = async (): Promise<Snapshot> => {
    const [ofPolicies, ofCritics] = await Promise.all([
      Promise.all(policies.map((policy) => policy.copyCheckpoint(kept))),
      Promise.all(critics.map((critic) => critic.copyCheckpoint(kept))),
    ]);
    return { policies: ofPolicies, critics: ofCritics, store };
  };
  if (!isAtRisk)
    return {
      begin: () => Promise.resolve(),
      run: (_name, part) => part({ policies, critics, store }),
      async snapshot() {
        // Under one number: one checkpoint is kept, however often it is asked for.
        await keep(0);
        return copyKept();
      },
    };
  return {
    begin: () => keep(0),
    snapshot: copyKept,
    async run(name, part) {
      let loss: Error | null = null;
      for (let count = 0; count < mostTries; count++) {
        const attempt = openTry({ policies, critics });
        try {
          if (loss !== null) onRecovered({ part: name, reason: loss, infos: await goBack() });
          const own = store.copy();
          const result = await part({ ...attempt.doors, store: own });
          await keep(kept + 1);
          store = own;
          return result;
        } catch (error) {
          await attempt.close();
          if (!isDeviceLost(error)) throw error;
          loss = error;
        }
      }
      throw loss ?? new Error('The part was never tried.');
    },
  };
}
