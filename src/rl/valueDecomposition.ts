/** Values of several agents for the same steps. Axes: S steps, A agents, row-major. */
export interface AgentValues {
  /** [S, A] Q of the action each agent took, or V of what it saw. Unit: discounted reward. */
  readonly values: Float64Array;
  readonly numAgents: number;
}

/** A squared error with its derivative. */
export interface ValueRegression {
  /** Unit: squared reward. */
  readonly loss: number;
  /** [S, A] ∂loss/∂value */
  readonly gradients: Float64Array;
}

/**
 * Team value as the sum of the agents' values: Q_tot = Σₖ Qₖ. [S, A] in, [S] out.
 * VDN: Sunehag et al. 2017 (arXiv 1706.05296) §3; pymarl `modules/mixers/vdn.py`.
 * Throws a RangeError unless `numAgents` is a whole number ≥ 1 that divides the number of values.
 */
export function teamValues({ values, numAgents }: AgentValues): Float64Array {
  const numSteps = numStepsOf({ values, numAgents });
  const sums = new Float64Array(numSteps);
  for (let i = 0; i < values.length; i++) sums[Math.floor(i / numAgents)]! += values[i]!;
  return sums;
}

/**
 * One-step target: y = r + γ·(1 − terminated)·next. [S] in, [S] out; a constant for the update.
 * pymarl `learners/q_learner.py`. VDN: `nextValues` = teamValues of each agent's own maximum, since the maximum of a sum over
 * separate actions is the sum of the maxima; IQL: one agent's maximum. A truncated step is not terminated and bootstraps.
 * Throws a RangeError on unequal lengths.
 */
export function oneStepTargets(
  rewards: Float64Array,
  nextValues: Float64Array,
  terminated: Uint8Array,
  gamma: number,
): Float64Array {
  for (const [name, array] of Object.entries({ nextValues, terminated }))
    if (array.length !== rewards.length)
      throw new RangeError(
        `${name} has ${array.length} entries, rewards ${rewards.length}: give one of each per step.`,
      );
  return rewards.map((reward, step) =>
    // Not multiplied by 1 − terminated: a next value of NaN behind the end must not count.
    terminated[step] === 0 ? reward + gamma * nextValues[step]! : reward,
  );
}

/**
 * VDN regression: L = Σ_S mask·(Σₖ Qₖ − y)² / Σ mask, so ∂L/∂Qₖ = 2·mask·(Q_tot − y)/Σ mask, equal for all agents.
 * Sunehag et al. 2017 §3; pymarl `learners/q_learner.py` with `vdn.py`, which has no factor ½.
 * @param targets [S] `mask` [S] 1 = counts. Without a step in the mask loss and gradients are 0.
 * Throws a RangeError on arrays that do not fit.
 */
export function vdnRegression(
  agentValues: AgentValues,
  targets: Float64Array,
  mask: Uint8Array,
): ValueRegression {
  const sums = teamValues(agentValues);
  assertLengths(sums.length, { targets, mask });
  const { numAgents } = agentValues;
  const weight = 1 / Math.max(1, countOf(mask));
  const gradients = new Float64Array(agentValues.values.length);
  let loss = 0;
  for (let step = 0; step < sums.length; step++) {
    if (mask[step] === 0) continue;
    const tdError = sums[step]! - targets[step]!;
    loss += weight * tdError * tdError;
    gradients.fill(2 * weight * tdError, step * numAgents, (step + 1) * numAgents);
  }
  return { loss, gradients };
}

/**
 * Independent Q-learning: each agent regresses the team's target alone, L = Σ mask·(Qₖ − yₖ)² / (A·Σ mask).
 * Tan 1993; pymarl `learners/q_learner.py` without a mixer, where the mask is expanded over the agents.
 * @param targets [S, A] `mask` [S] 1 = counts. Without a step in the mask loss and gradients are 0.
 * Throws a RangeError on arrays that do not fit.
 */
export function iqlRegression(
  agentValues: AgentValues,
  targets: Float64Array,
  mask: Uint8Array,
): ValueRegression {
  const { values, numAgents } = agentValues;
  assertLengths(values.length, { targets });
  assertLengths(numStepsOf(agentValues), { mask });
  const weight = 1 / Math.max(1, numAgents * countOf(mask));
  const gradients = new Float64Array(values.length);
  let loss = 0;
  for (let i = 0; i < values.length; i++) {
    if (mask[Math.floor(i / numAgents)] === 0) continue;
    const tdError = values[i]! - targets[i]!;
    loss += weight * tdError * tdError;
    gradients[i] = 2 * weight * tdError;
  }
  return { loss, gradients };
}

function countOf(mask: Uint8Array): number {
  return mask.filter((counts) => counts !== 0).length;
}

function numStepsOf({ values, numAgents }: AgentValues): number {
  if (!Number.isInteger(numAgents) || numAgents < 1 || values.length % numAgents !== 0)
    throw new RangeError(
      `${values.length} values for ${numAgents} agents: give whole rows of [S, A].`,
    );
  return values.length / numAgents;
}

function assertLengths(
  expected: number,
  arrays: Readonly<Record<string, ArrayLike<number>>>,
): void {
  for (const [name, { length }] of Object.entries(arrays))
    if (length !== expected)
      throw new RangeError(`${name} has ${length} entries, the values ask for ${expected}.`);
}
