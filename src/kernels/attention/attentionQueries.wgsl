// Gradient of the queries, one query of one head per thread; and each query's Σ out·upstream, which the keys need too.
override HEADS: u32;
override KEY_HEADS: u32;
override HEAD_SIZE: u32;

struct Sizes {
  sequences: u32,
  length: u32, // tokens of a sequence
}

@group(0) @binding(0) var<storage, read> queries: array<f32>;
@group(0) @binding(1) var<storage, read> keys: array<f32>;
@group(0) @binding(2) var<storage, read> values: array<f32>;
@group(0) @binding(3) var<storage, read> out: array<f32>;
@group(0) @binding(4) var<storage, read> normalisers: array<f32>;
@group(0) @binding(5) var<storage, read> upstream: array<f32>;
@group(0) @binding(6) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(7) var<storage, read_write> dots: array<f32>;
@group(0) @binding(8) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.sequences * sizes.length * HEADS) {
    return;
  }
  let head = id.x % HEADS;
  let row = id.z * sizes.sequences * sizes.length + id.x / HEADS;
  let position = (id.x / HEADS) % sizes.length;
  let firstRow = row - position;
  let keyHead = head / (HEADS / KEY_HEADS);
  let q = (row * HEADS + head) * HEAD_SIZE;
  let scale = inverseSqrt(f32(HEAD_SIZE));
  var dot = 0.0;
  for (var i = 0u; i < HEAD_SIZE; i++) {
    dot += out[q + i] * upstream[q + i];
    gradient[q + i] = 0.0;
  }
  dots[row * HEADS + head] = dot;
  let normaliser = normalisers[row * HEADS + head];
  for (var j = 0u; j <= position; j++) {
    let k = ((firstRow + j) * KEY_HEADS + keyHead) * HEAD_SIZE;
    var score = 0.0;
    var slope = 0.0;
    for (var i = 0u; i < HEAD_SIZE; i++) {
      score += queries[q + i] * keys[k + i];
      slope += upstream[q + i] * values[k + i];
    }
    let weight = exp(score * scale - normaliser) * (slope - dot) * scale;
    for (var i = 0u; i < HEAD_SIZE; i++) {
      gradient[q + i] += weight * keys[k + i];
    }
  }
}
