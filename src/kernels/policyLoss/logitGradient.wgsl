// ∂loss/∂logits of each site: Σ over the tokens drawn there of slope·(δ − p), and the entropy bonus. One logit per thread.
override VOCABULARY: u32;

struct Sizes {
  sites: u32,
  cells: u32, // turns · tokens
}

struct Loss {
  kind: f32,
  low: f32,
  high: f32,
  dualClip: f32,
  tauPositive: f32,
  tauNegative: f32,
  klCoef: f32,
  klEstimator: f32,
  maxMeanLogRatio: f32,
  entropyCoef: f32,
}

@group(0) @binding(0) var<storage, read> losses: array<Loss>;
@group(0) @binding(1) var<storage, read> logits: array<f32>;
@group(0) @binding(2) var<storage, read> sites: array<vec2f>;
// [R, K + 1] where each site's entries begin in `cells`; [R, cells, 2] cell and token of each.
@group(0) @binding(3) var<storage, read> starts: array<i32>;
@group(0) @binding(4) var<storage, read> cells: array<vec2i>;
@group(0) @binding(5) var<storage, read> slopes: array<f32>;
// [R, K] share of the entropy bonus.
@group(0) @binding(6) var<storage, read> shares: array<f32>;
@group(0) @binding(7) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(8) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.sites * VOCABULARY) {
    return;
  }
  let site = id.z * sizes.sites + id.x / VOCABULARY;
  let v = i32(id.x % VOCABULARY);
  let at = id.z * sizes.sites * VOCABULARY + id.x;
  let logprob = logits[at] - sites[site].x;
  let probability = exp(logprob);
  let first = id.z * (sizes.sites + 1u) + id.x / VOCABULARY;
  var sum = 0.0;
  var own = 0.0;
  for (var i = starts[first]; i < starts[first + 1u]; i++) {
    let cell = cells[id.z * sizes.cells + u32(i)];
    let slope = slopes[id.z * sizes.cells + u32(cell.x)];
    sum += slope;
    own += select(0.0, slope, cell.y == v);
  }
  let bonus = losses[id.z].entropyCoef * shares[site];
  gradient[at] = own - probability * sum + bonus * probability * (logprob + sites[site].y);
}
