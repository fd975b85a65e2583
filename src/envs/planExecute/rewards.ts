/** Hong et al. 2025, §3: α of format and correctness; they sum to 1. */
const mainWeights = { format: 0.1, correct: 0.9 } as const;

/** Hong et al. 2025, §3: β of format, main correctness and judge; they sum to 1. */
const invocationWeights = { format: 0.1, mainCorrect: 0.4, oracle: 0.5 } as const;

/**
 * Reward of the main trajectory, in 0..1:
 * R_M = α₁·format + α₂·correct if the format is valid, else 0, with α = (0.1, 0.9).
 * M-GRPO: Hong et al. 2025, arXiv 2511.13288, §3.
 */
export function mainReward(isWellFormed: boolean, isCorrect: boolean): number {
  if (!isWellFormed) return 0;
  return mainWeights.format + (isCorrect ? mainWeights.correct : 0);
}

/**
 * Reward of one invocation of a sub-agent, in 0..1:
 * R_S = β₁·format + β₂·mainCorrect + β₃·oracle if the format is valid, else 0, with β = (0.1, 0.4, 0.5).
 * M-GRPO: Hong et al. 2025, arXiv 2511.13288, §3. The paper's third term is the verdict of a language model on the sub-task;
 * here a scripted oracle judges instead.
 * @param isMainCorrect copied from the main trajectory, whatever its format
 * @param oracle 0..1, how right the oracle finds the sub-answer
 */
export function invocationReward(
  isWellFormed: boolean,
  isMainCorrect: boolean,
  oracle: number,
): number {
  if (!isWellFormed) return 0;
  const { format, mainCorrect, oracle: judged } = invocationWeights;
  return format + (isMainCorrect ? mainCorrect : 0) + judged * oracle;
}
