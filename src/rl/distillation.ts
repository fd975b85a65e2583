import { logSoftmax } from './entropy';

/** How far the student is from its teacher at each position. */
export interface DistillationLoss {
  /** [B] Unit: nats. */
  readonly losses: Float64Array;
  /** [B, V] ∂loss/∂(student logit) */
  readonly gradients: Float64Array;
}

/**
 * Cross-entropy H(teacher ‖ student) = −Σ p_T log p_S; gradient p_S − p_T. It is KL(teacher ‖ student) plus the teacher's entropy.
 * Kickstarting as described in Schmitt et al. 2018 (arXiv 1803.03835), formula not verified against the primary text: the loss is
 * L_RL + λ·H with λ annealed to 0. Both [B, V]; logprobs in nats, −Infinity for a token the teacher never takes.
 * A token that the student cannot take but the teacher does gives Infinity. Throws a RangeError on shapes that do not fit.
 */
export function teacherCrossEntropy(
  teacherLogprobs: Float64Array,
  studentLogits: Float32Array | Float64Array,
  vocabularySize: number,
): DistillationLoss {
  const logprobs = studentLogprobs(teacherLogprobs, studentLogits, vocabularySize);
  const losses = new Float64Array(logprobs.length / vocabularySize);
  for (let i = 0; i < logprobs.length; i++) {
    const probability = Math.exp(teacherLogprobs[i]!);
    if (probability !== 0) losses[Math.floor(i / vocabularySize)]! -= probability * logprobs[i]!;
  }
  const gradients = logprobs.map((logprob, i) => Math.exp(logprob) - Math.exp(teacherLogprobs[i]!));
  return { losses, gradients };
}

/**
 * Reverse KL(student ‖ teacher) = Σ p_S(log p_S − log p_T) over the whole vocabulary; gradient p_S(log p_S − log p_T − KL).
 * On-policy distillation on positions the student itself has sampled; generalized knowledge distillation as described in Agarwal et al.
 * 2023 (arXiv 2306.13649), formula not verified against the primary text. With sampled tokens only, use `klRewardPenalties` with k1.
 * Both [B, V]; logprobs in nats. Throws a RangeError on shapes that do not fit, and where the teacher never takes a token the student
 * can take: the divergence is infinite there.
 */
export function reverseTeacherKl(
  teacherLogprobs: Float64Array,
  studentLogits: Float32Array | Float64Array,
  vocabularySize: number,
): DistillationLoss {
  const logprobs = studentLogprobs(teacherLogprobs, studentLogits, vocabularySize);
  const losses = new Float64Array(logprobs.length / vocabularySize);
  const logRatios = logprobs.map((logprob, i) => {
    if (Math.exp(logprob) === 0) return 0;
    if (teacherLogprobs[i] === -Infinity)
      throw new RangeError(
        `the teacher never takes token ${i % vocabularySize} of row ${Math.floor(i / vocabularySize)}, the student can: forbid it to both.`,
      );
    return logprob - teacherLogprobs[i]!;
  });
  for (const [i, logRatio] of logRatios.entries())
    losses[Math.floor(i / vocabularySize)]! += Math.exp(logprobs[i]!) * logRatio;
  const gradients = logRatios.map(
    (logRatio, i) => Math.exp(logprobs[i]!) * (logRatio - losses[Math.floor(i / vocabularySize)]!),
  );
  return { losses, gradients };
}

function studentLogprobs(
  teacherLogprobs: Float64Array,
  studentLogits: Float32Array | Float64Array,
  vocabularySize: number,
): Float64Array {
  if (teacherLogprobs.length !== studentLogits.length)
    throw new RangeError(
      `teacherLogprobs has ${teacherLogprobs.length} entries, studentLogits ${studentLogits.length}: both are [B, V].`,
    );
  return logSoftmax(studentLogits, vocabularySize);
}
