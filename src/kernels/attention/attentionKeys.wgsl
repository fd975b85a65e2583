// Gradients of keys and values, one key of one key head per thread: sums over the queries behind it, four at a time, in a fixed order.
override HEADS: u32;
override KEY_HEADS: u32;
override HEAD_SIZE: u32; // a multiple of 4

struct Sizes {
  rows: u32, // of a replica
  length: u32, // tokens of a sequence
}

// Laid out as in attention.wgsl, like their gradients.
@group(0) @binding(0) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(1) var<storage, read> dots: array<f32>;
@group(0) @binding(2) var<storage, read> normalisers: array<f32>;
@group(0) @binding(3) var<storage, read> upstream: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> gradient: array<vec4f>;
@group(0) @binding(5) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.rows * KEY_HEADS) {
    return;
  }
  let size = HEAD_SIZE / 4u;
  let keyHead = id.x % KEY_HEADS;
  let row = id.x / KEY_HEADS;
  let position = row % sizes.length;
  let perKey = HEADS / KEY_HEADS;
  let base = id.z * sizes.rows * (HEADS + 2u * KEY_HEADS) * size;
  let k = base + (sizes.rows * HEADS + row * KEY_HEADS + keyHead) * size;
  let v = k + sizes.rows * KEY_HEADS * size;
  let scale = inverseSqrt(f32(HEAD_SIZE));
  for (var i = 0u; i < size; i++) {
    gradient[k + i] = vec4f(0.0);
    gradient[v + i] = vec4f(0.0);
  }
  let numQueries = sizes.length - position;
  for (var j = 0u; j < numQueries; j += 4u) {
    // Queries behind the sequence are read as its last, and weigh nothing.
    let rows = vec4u(row) + min(vec4u(j, j + 1u, j + 2u, j + 3u), vec4u(numQueries - 1u));
    let isThere = vec4u(j, j + 1u, j + 2u, j + 3u) < vec4u(numQueries);
    for (var head = keyHead * perKey; head < (keyHead + 1u) * perKey; head++) {
      let at = (vec4u(id.z * sizes.rows) + rows) * HEADS + head;
      let u = at * size;
      let q = vec4u(base) + (rows * HEADS + head) * size;
      var scores = vec4f(0.0);
      var slopes = vec4f(0.0);
      for (var i = 0u; i < size; i++) {
        let key = qkv[k + i];
        let value = qkv[v + i];
        scores += vec4f(dot(key, qkv[q.x + i]), dot(key, qkv[q.y + i]), dot(key, qkv[q.z + i]), dot(key, qkv[q.w + i]));
        slopes += vec4f(dot(value, upstream[u.x + i]), dot(value, upstream[u.y + i]), dot(value, upstream[u.z + i]), dot(value, upstream[u.w + i]));
      }
      let logs = vec4f(normalisers[at.x], normalisers[at.y], normalisers[at.z], normalisers[at.w]);
      let own = vec4f(dots[at.x], dots[at.y], dots[at.z], dots[at.w]);
      let shares = select(vec4f(0.0), exp(scores * scale - logs), isThere);
      let weights = shares * (slopes - own) * scale;
      for (var i = 0u; i < size; i++) {
        gradient[k + i] += weights.x * qkv[q.x + i] + weights.y * qkv[q.y + i] + weights.z * qkv[q.z + i] + weights.w * qkv[q.w + i];
        gradient[v + i] += shares.x * upstream[u.x + i] + shares.y * upstream[u.y + i] + shares.z * upstream[u.z + i] + shares.w * upstream[u.w + i];
      }
    }
  }
}
