// log Σ exp and entropy of each site's logits, one site per thread.
override VOCABULARY: u32;

struct Sizes {
  sites: u32,
}

@group(0) @binding(0) var<storage, read> logits: array<f32>;
// [R, K, 2] normaliser and entropy. Unit: nats.
@group(0) @binding(1) var<storage, read_write> sites: array<vec2f>;
@group(0) @binding(2) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.sites) {
    return;
  }
  let site = id.z * sizes.sites + id.x;
  let first = site * VOCABULARY;
  var largest = logits[first];
  for (var v = 1u; v < VOCABULARY; v++) {
    largest = max(largest, logits[first + v]);
  }
  var total = 0.0;
  var mean = 0.0;
  for (var v = 0u; v < VOCABULARY; v++) {
    let weight = exp(logits[first + v] - largest);
    total += weight;
    mean += weight * (logits[first + v] - largest);
  }
  // H = log Σ exp − Σ p z, both taken from the largest logit.
  sites[site] = vec2f(largest + log(total), log(total) - mean / total);
}
