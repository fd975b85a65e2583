// Gradients of keys and values, one key of one key head per thread: sums over the queries behind it, in a fixed order.
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
@group(0) @binding(3) var<storage, read> dots: array<f32>;
@group(0) @binding(4) var<storage, read> normalisers: array<f32>;
@group(0) @binding(5) var<storage, read> upstream: array<f32>;
@group(0) @binding(6) var<storage, read_write> keyGradient: array<f32>;
@group(0) @binding(7) var<storage, read_write> valueGradient: array<f32>;
@group(0) @binding(8) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.sequences * sizes.length * KEY_HEADS) {
    return;
  }
  let keyHead = id.x % KEY_HEADS;
  let row = id.z * sizes.sequences * sizes.length + id.x / KEY_HEADS;
  let position = (id.x / KEY_HEADS) % sizes.length;
  let perKey = HEADS / KEY_HEADS;
  let k = (row * KEY_HEADS + keyHead) * HEAD_SIZE;
  let scale = inverseSqrt(f32(HEAD_SIZE));
  for (var i = 0u; i < HEAD_SIZE; i++) {
    keyGradient[k + i] = 0.0;
    valueGradient[k + i] = 0.0;
  }
  for (var other = row; other < row + sizes.length - position; other++) {
    for (var head = keyHead * perKey; head < (keyHead + 1u) * perKey; head++) {
      let at = other * HEADS + head;
      let q = at * HEAD_SIZE;
      var score = 0.0;
      var slope = 0.0;
      for (var i = 0u; i < HEAD_SIZE; i++) {
        score += queries[q + i] * keys[k + i];
        slope += upstream[q + i] * values[k + i];
      }
      let probability = exp(score * scale - normalisers[at]);
      let weight = probability * (slope - dots[at]) * scale;
      for (var i = 0u; i < HEAD_SIZE; i++) {
        keyGradient[k + i] += weight * queries[q + i];
        valueGradient[k + i] += probability * upstream[q + i];
      }
    }
  }
}
