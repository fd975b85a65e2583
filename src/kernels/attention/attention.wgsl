// Causal attention with grouped queries: one query of one head per thread, four keys at a time, softmax in one pass over them.
override HEADS: u32;
override KEY_HEADS: u32;
override HEAD_SIZE: u32; // a multiple of 4

struct Sizes {
  rows: u32, // of a replica
  length: u32, // tokens of a sequence
}

// [R, rows · (heads + 2 key heads) · head size]: all queries of a replica, then its keys, then its values.
@group(0) @binding(0) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> out: array<vec4f>;
// log Σ exp of each query's scores, for the way back.
@group(0) @binding(2) var<storage, read_write> normalisers: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

const SMALLEST = -1e30;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.rows * HEADS) {
    return;
  }
  let size = HEAD_SIZE / 4u;
  let head = id.x % HEADS;
  let row = id.x / HEADS;
  let position = row % sizes.length;
  let firstRow = row - position;
  let base = id.z * sizes.rows * (HEADS + 2u * KEY_HEADS) * size;
  let q = base + (row * HEADS + head) * size;
  let keyStep = KEY_HEADS * size;
  let keys = base + sizes.rows * HEADS * size + (firstRow * KEY_HEADS + head / (HEADS / KEY_HEADS)) * size;
  let values = keys + sizes.rows * keyStep;
  let o = ((id.z * sizes.rows + row) * HEADS + head) * size;
  let scale = inverseSqrt(f32(HEAD_SIZE));
  for (var i = 0u; i < size; i++) {
    out[o + i] = vec4f(0.0);
  }
  // Online softmax: what was summed under an earlier maximum is scaled down when a larger score comes.
  var largest = SMALLEST;
  var total = 0.0;
  for (var j = 0u; j <= position; j += 4u) {
    // Keys behind the query are read as its own, and weigh nothing.
    let places = min(vec4u(j, j + 1u, j + 2u, j + 3u), vec4u(position)) * keyStep;
    let k = vec4u(keys) + places;
    var scores = vec4f(0.0);
    for (var i = 0u; i < size; i++) {
      let query = qkv[q + i];
      scores += vec4f(dot(query, qkv[k.x + i]), dot(query, qkv[k.y + i]), dot(query, qkv[k.z + i]), dot(query, qkv[k.w + i]));
    }
    let isAhead = vec4u(j, j + 1u, j + 2u, j + 3u) <= vec4u(position);
    scores = select(vec4f(SMALLEST), scores * scale, isAhead);
    let next = max(max(max(scores.x, scores.y), max(scores.z, scores.w)), largest);
    let decay = exp(largest - next);
    let weights = select(vec4f(0.0), exp(scores - next), isAhead);
    total = total * decay + weights.x + weights.y + weights.z + weights.w;
    let v = vec4u(values) + places;
    for (var i = 0u; i < size; i++) {
      let sum = weights.x * qkv[v.x + i] + weights.y * qkv[v.y + i] + weights.z * qkv[v.z + i] + weights.w * qkv[v.w + i];
      out[o + i] = out[o + i] * decay + sum;
    }
    largest = next;
  }
  for (var i = 0u; i < size; i++) {
    out[o + i] /= total;
  }
  normalisers[(id.z * sizes.rows + row) * HEADS + head] = largest + log(total);
}
