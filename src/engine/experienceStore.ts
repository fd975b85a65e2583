import type { Trajectory } from './experience';

/**
 * Where rollouts wait for those who learn from them. Sides that act and sides that learn share nothing but this: the decoupled
 * trainers of M-GRPO (Hong et al. 2025, arXiv 2511.13288, §4.2) exchange tokens, masks, ids and rewards through such a store, and a
 * pipeline of depth k is one whose rollouts wait k iterations.
 */
export interface ExperienceStore {
  commit(trajectories: readonly Trajectory[]): void;
  /**
   * Takes the rollouts of one replica for one iteration out, in the order they were committed.
   * Throws an Error if there are none: nothing was committed, or they were taken before.
   */
  take(replica: number, batch: number): readonly Trajectory[];
  /** All rollouts that wait; those of one replica and iteration stand together, in the order they were committed. */
  waiting(): readonly Trajectory[];
  /** Rollouts that wait. */
  size(): number;
  /** A store with the same rollouts, independent of this one from now on. */
  copy(): ExperienceStore;
}

function placeOf(replica: number, batch: number): string {
  return `${replica} ${batch}`;
}

export function createExperienceStore(): ExperienceStore {
  const waiting = new Map<string, Trajectory[]>();
  return {
    commit(trajectories) {
      for (const trajectory of trajectories) {
        const place = placeOf(trajectory.replica, trajectory.batch);
        const own = waiting.get(place) ?? [];
        waiting.set(place, own);
        own.push(trajectory);
      }
    },
    take(replica, batch) {
      const place = placeOf(replica, batch);
      const own = waiting.get(place);
      if (own === undefined)
        throw new Error(
          `The store holds no rollouts of replica ${replica} for iteration ${batch}: commit them first, and take them once.`,
        );
      waiting.delete(place);
      return own;
    },
    copy() {
      const other = createExperienceStore();
      for (const own of waiting.values()) other.commit(own);
      return other;
    },
    waiting: () => [...waiting.values()].flat(),
    size: () => [...waiting.values()].reduce((sum, own) => sum + own.length, 0),
  };
}
