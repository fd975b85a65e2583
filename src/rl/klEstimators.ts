/** An estimate per token and its derivative with respect to the policy's logprob of that token. */
export interface KlEstimates {
  /** [B, T] Unit: nats. */
  readonly values: Float64Array;
  /** [B, T] ∂value/∂logprob, no unit. */
  readonly gradients: Float64Array;
}

/** verl's bound on k3, which grows as e^|d| on tokens that the policy has made unlikely. Unit: nats. */
const k3Bound = 10;

/**
 * KL(policy ‖ reference) per token, estimator k1: d = logprob − refLogprob. Unbiased, of either sign.
 * Schulman 2020, "Approximating KL divergence". [B, T] in, [B, T] out. As a loss its expected gradient is 0.
 */
export function klK1(logprobs: Float64Array, refLogprobs: Float64Array): KlEstimates {
  return estimates(logprobs, refLogprobs, (d) => [d, 1]);
}

/**
 * KL(policy ‖ reference) per token, estimator k2: d²/2. Biased, ≥ 0.
 * Schulman 2020. [B, T] in, [B, T] out. As a loss its expected gradient is that of KL(policy ‖ reference).
 */
export function klK2(logprobs: Float64Array, refLogprobs: Float64Array): KlEstimates {
  return estimates(logprobs, refLogprobs, (d) => [(d * d) / 2, d]);
}

/**
 * KL(policy ‖ reference) per token, estimator k3: e^−d − 1 + d. Unbiased, ≥ 0.
 * Schulman 2020; GRPO (arXiv 2402.03300) Eq. 4. [B, T] in, [B, T] out.
 * As a loss its expected gradient is that of KL(reference ‖ policy).
 */
export function klK3(logprobs: Float64Array, refLogprobs: Float64Array): KlEstimates {
  return estimates(logprobs, refLogprobs, k3);
}

/**
 * k3 bounded to ±10 nats, `low_var_kl` of verl (`core_algos.py::kl_penalty`). [B, T] in, [B, T] out.
 * Beyond the bound the gradient is 0, as for `torch.clamp`.
 */
export function klK3Clamped(logprobs: Float64Array, refLogprobs: Float64Array): KlEstimates {
  return estimates(logprobs, refLogprobs, (d) => {
    const [value, gradient] = k3(d);
    return value > k3Bound ? [k3Bound, 0] : [value, gradient];
  });
}

/**
 * The value of `klK3Clamped` with the gradient of k2, d: `k3+` of verl (`core_algos.py::kl_penalty`), k2 − sg[k2] + sg[k3].
 * [B, T] in, [B, T] out. The value is the low-variance one; as a loss its expected gradient is that of KL(policy ‖ reference).
 */
export function klK3ValueK2Gradient(
  logprobs: Float64Array,
  refLogprobs: Float64Array,
): KlEstimates {
  const { values } = klK3Clamped(logprobs, refLogprobs);
  return { values, gradients: klK2(logprobs, refLogprobs).gradients };
}

/** expm1 keeps the digits that e^−d − 1 loses near d = 0; its last bit may still round below 0. */
function k3(d: number): readonly [number, number] {
  const excess = Math.expm1(-d);
  return [Math.max(0, excess + d), -excess];
}

function estimates(
  logprobs: Float64Array,
  refLogprobs: Float64Array,
  estimate: (d: number) => readonly [number, number],
): KlEstimates {
  if (logprobs.length !== refLogprobs.length)
    throw new RangeError(
      `logprobs has ${logprobs.length} entries, refLogprobs ${refLogprobs.length}: score the same tokens with both policies.`,
    );
  const values = new Float64Array(logprobs.length);
  const gradients = new Float64Array(logprobs.length);
  for (let token = 0; token < logprobs.length; token++) {
    const [value, gradient] = estimate(logprobs[token]! - refLogprobs[token]!);
    values[token] = value;
    gradients[token] = gradient;
  }
  return { values, gradients };
}
