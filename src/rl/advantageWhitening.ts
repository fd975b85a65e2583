import { groupMoments } from './groupMoments';

export interface WhitenedAdvantages {
  /** [S] Unit: standard deviations over the active steps. 0 where the step is inactive or its advantage is not finite. */
  readonly advantages: Float64Array;
  /** Over active steps with a finite advantage; NaN without any. */
  readonly mean: number;
  /** Population standard deviation over the same; NaN without any. */
  readonly std: number;
  /** Active steps whose advantage is NaN or ±Infinity: they take no part and get 0. */
  readonly numNotFinite: number;
}

/**
 * PPO advantage standardisation over the steps at which the agent was active: (A − mean)/(std + ε), std with n in the divisor.
 * MAPPO (Yu et al. 2022, arXiv 2103.01955), `on-policy/algorithms/r_mappo/r_mappo.py::train`: inactive steps are set to NaN,
 * `nanmean`, `nanstd`, ε = 1e-5. That code also shifts inactive steps and drops them in the loss; here they are 0 at once.
 * @param advantages [S] Unit: any.
 * @param activeMasks [S] 1 = the agent acted; entries with 0 may hold any advantage.
 * @param epsilon added to the std: r_mappo 1e-5, OpenAI baselines `ppo2` 1e-8.
 * Throws a RangeError on unequal lengths.
 */
export function whitenAdvantages(
  advantages: Float64Array,
  activeMasks: Uint8Array,
  epsilon: number,
): WhitenedAdvantages {
  if (activeMasks.length !== advantages.length)
    throw new RangeError(
      `activeMasks has ${activeMasks.length} entries, advantages ${advantages.length}: give one of each per step.`,
    );
  const active = advantages.map((advantage, step) => (activeMasks[step] === 0 ? NaN : advantage));
  const oneGroup = { indices: new Int32Array(active.length), numGroups: 1 };
  const { means, stds, numSamples } = groupMoments(active, oneGroup, 0);
  const mean = means[0]!;
  const std = stds[0]!;
  const numActive = activeMasks.filter((isActive) => isActive !== 0).length;
  return {
    advantages: active.map((advantage) =>
      Number.isFinite(advantage) ? (advantage - mean) / (std + epsilon) : 0,
    ),
    mean,
    std,
    numNotFinite: numActive - numSamples[0]!,
  };
}
