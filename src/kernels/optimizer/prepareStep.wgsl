// What a step multiplies by, per replica, and whether it is taken at all. One replica per thread.
override REPLICAS: u32;
override GROUPS: u32;

struct Hyper {
  learningRate: f32,
  beta1: f32,
  beta2: f32,
  epsilon: f32,
  weightDecay: f32,
  maxGradNorm: f32, // 0 = no clipping
  kind: f32, // 0 = AdamW, 1 = SGD with momentum beta1
  isActive: f32,
}

@group(0) @binding(0) var<storage, read> hypers: array<Hyper>;
// [R, GROUPS, 3] see gradientProducts; the first of each three is a part of ‖gradient‖².
@group(0) @binding(1) var<storage, read> products: array<f32>;
// [R, 4] 1 − β₁ᵗ, 1 − β₂ᵗ and t of the steps taken so far; 0 at the start.
@group(0) @binding(2) var<storage, read_write> progress: array<vec4f>;
// [R, 2] factor on the gradient, and 1 if the step is taken.
@group(0) @binding(3) var<storage, read_write> factors: array<vec2f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= REPLICAS) {
    return;
  }
  let hyper = hypers[id.x];
  var square = 0.0;
  for (var group = 0u; group < GROUPS; group++) {
    square += products[3u * (id.x * GROUPS + group)];
  }
  // Infinity and NaN have all exponent bits set; comparisons may be optimised away.
  let isFinite = (bitcast<u32>(square) & 0x7f800000u) != 0x7f800000u;
  if (!isFinite || hyper.isActive == 0.0) {
    factors[id.x] = vec2f(0.0, 0.0);
    return;
  }
  var factor = 1.0;
  if (hyper.maxGradNorm > 0.0) {
    factor = min(1.0, hyper.maxGradNorm / (sqrt(square) + 1e-6));
  }
  factors[id.x] = vec2f(factor, 1.0);
  // 1 − βᵗ = (1 − β) + β·(1 − βᵗ⁻¹): exact where a power would cancel.
  let betas = vec2f(hyper.beta1, hyper.beta2);
  let before = progress[id.x];
  progress[id.x] = vec4f((vec2f(1.0) - betas) + betas * before.xy, before.z + 1.0, 0.0);
}
