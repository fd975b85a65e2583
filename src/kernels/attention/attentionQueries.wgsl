// Gradient of the queries, one query of one head per thread, four keys at a time; and each query's Σ out·upstream, which the keys need too.
override HEADS: u32;
override KEY_HEADS: u32;
override HEAD_SIZE: u32; // a multiple of 4

struct Sizes {
  rows: u32, // of a replica
  length: u32, // tokens of a sequence
}

// Laid out as in attention.wgsl, like their gradients.
@group(0) @binding(0) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(1) var<storage, read> out: array<vec4f>;
@group(0) @binding(2) var<storage, read> normalisers: array<f32>;
@group(0) @binding(3) var<storage, read> upstream: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> gradient: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> dots: array<f32>;
@group(0) @binding(6) var<uniform> sizes: Sizes;

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
  let at = (id.z * sizes.rows + row) * HEADS + head;
  let o = at * size;
  let scale = inverseSqrt(f32(HEAD_SIZE));
  var own = 0.0;
  for (var i = 0u; i < size; i++) {
    own += dot(out[o + i], upstream[o + i]);
    gradient[q + i] = vec4f(0.0);
  }
  dots[at] = own;
  let normaliser = normalisers[at];
  for (var j = 0u; j <= position; j += 4u) {
    // Keys behind the query are read as its own, and weigh nothing.
    let places = min(vec4u(j, j + 1u, j + 2u, j + 3u), vec4u(position)) * keyStep;
    let k = vec4u(keys) + places;
    let v = vec4u(values) + places;
    var scores = vec4f(0.0);
    var slopes = vec4f(0.0);
    for (var i = 0u; i < size; i++) {
      let query = qkv[q + i];
      let dy = upstream[o + i];
      scores += vec4f(dot(query, qkv[k.x + i]), dot(query, qkv[k.y + i]), dot(query, qkv[k.z + i]), dot(query, qkv[k.w + i]));
      slopes += vec4f(dot(dy, qkv[v.x + i]), dot(dy, qkv[v.y + i]), dot(dy, qkv[v.z + i]), dot(dy, qkv[v.w + i]));
    }
    let isAhead = vec4u(j, j + 1u, j + 2u, j + 3u) <= vec4u(position);
    let weights = select(vec4f(0.0), exp(scores * scale - normaliser) * (slopes - own) * scale, isAhead);
    for (var i = 0u; i < size; i++) {
      gradient[q + i] += weights.x * qkv[k.x + i] + weights.y * qkv[k.y + i] + weights.z * qkv[k.z + i] + weights.w * qkv[k.w + i];
    }
  }
}
