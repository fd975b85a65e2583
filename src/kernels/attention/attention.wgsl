// Causal attention with grouped queries: one query of one head per thread, softmax in one pass over the keys.
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
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
// log Σ exp of each query's scores, for the way back.
@group(0) @binding(4) var<storage, read_write> normalisers: array<f32>;
@group(0) @binding(5) var<uniform> sizes: Sizes;

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
  for (var i = 0u; i < HEAD_SIZE; i++) {
    out[q + i] = 0.0;
  }
  // Online softmax: what was summed under an earlier maximum is scaled down when a larger score comes.
  var largest = -1e30;
  var total = 0.0;
  for (var j = 0u; j <= position; j++) {
    let k = ((firstRow + j) * KEY_HEADS + keyHead) * HEAD_SIZE;
    var score = 0.0;
    for (var i = 0u; i < HEAD_SIZE; i++) {
      score += queries[q + i] * keys[k + i];
    }
    score *= scale;
    let next = max(largest, score);
    let decay = exp(largest - next);
    let weight = exp(score - next);
    total = total * decay + weight;
    for (var i = 0u; i < HEAD_SIZE; i++) {
      out[q + i] = out[q + i] * decay + weight * values[k + i];
    }
    largest = next;
  }
  for (var i = 0u; i < HEAD_SIZE; i++) {
    out[q + i] /= total;
  }
  normalisers[row * HEADS + head] = largest + log(total);
}
