/** Keeps the quotient finite at norm 0. PyTorch's constant. */
const clipEpsilon = 1e-6;

/**
 * Global L2 norm over several arrays: √ΣΣg². Sum in float64. Any shapes, no unit beyond the gradient's.
 * As `torch.nn.utils.clip_grad_norm_`. NaN or Infinity where an entry is; 0 without entries.
 */
export function globalNorm(gradients: readonly (Float32Array | Float64Array)[]): number {
  let sum = 0;
  for (const gradient of gradients) for (const entry of gradient) sum += entry * entry;
  return Math.sqrt(sum);
}

/**
 * What to multiply gradients by so that their norm stays within `maxGradNorm`: min(1, maxGradNorm/(norm + 1e-6)).
 * `torch.nn.utils.clip_grad_norm_`. NaN for a norm of NaN, 0 for Infinity: skip such an update instead of applying it.
 */
export function clipCoefficient(gradNorm: number, maxGradNorm: number): number {
  return Math.min(1, maxGradNorm / (gradNorm + clipEpsilon));
}
