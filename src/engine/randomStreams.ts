import { foldIn, keyFromSeed, type Key } from '../rl/rng';

/**
 * Where every random number of a run comes from: a key per (seed, purpose, …). Arms do not enter, so the arms of a seed see the
 * same tasks and the same sampling noise. Purpose 1 draws initial weights (agents/replica).
 */
const purposes = {
  trainingTask: 2,
  trainingNoise: 3,
  evaluationTask: 4,
  evaluationNoise: 5,
  demonstrationTask: 6,
  warmStartTask: 7,
  warmStartNoise: 8,
  minibatches: 9,
  alignment: 10,
  pulse: 11,
  gradientHalves: 12,
} as const;

export type Purpose = keyof typeof purposes;

/** Key of one task or one episode's noise. `place` is for example (iteration, task, rollout). */
export function streamKey(seed: number, purpose: Purpose, ...place: readonly number[]): Key {
  return foldIn(keyFromSeed(seed), purposes[purpose], ...place);
}

/** Key of one turn's sampling noise inside an episode; the position in the turn is its counter. */
export function turnKey(episodeKey: Key, turnIndex: number, agent: number): Key {
  return foldIn(episodeKey, turnIndex, agent);
}
