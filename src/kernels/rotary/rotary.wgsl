// Turns each pair (x₁, x₂) of a head's halves by the angle of its position, in place; backwards with SIGN = −1. Queries, then keys.
override HEADS: u32;
override KEY_HEADS: u32;
override HEAD_SIZE: u32;
override SIGN: f32;

struct Sizes {
  rows: u32, // of a replica
  length: u32, // tokens of a sequence
}

@group(0) @binding(0) var<storage, read> angles: array<vec2f>;
// Laid out as in attention.wgsl; the values are left alone.
@group(0) @binding(1) var<storage, read_write> qkv: array<f32>;
@group(0) @binding(2) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let half = HEAD_SIZE / 2u;
  if (id.x >= sizes.rows * (HEADS + KEY_HEADS) * half) {
    return;
  }
  let i = id.x % half;
  // Number of the head among all queries' of the replica, then all keys'.
  let head = id.x / half;
  let numQueries = sizes.rows * HEADS;
  let row = select((head - numQueries) / KEY_HEADS, head / HEADS, head < numQueries);
  let angle = angles[(row % sizes.length) * half + i];
  let at = (id.z * sizes.rows * (HEADS + 2u * KEY_HEADS) + head) * HEAD_SIZE + i;
  let first = qkv[at];
  let second = qkv[at + half];
  let s = SIGN * angle.y;
  qkv[at] = first * angle.x - second * s;
  qkv[at + half] = second * angle.x + first * s;
}
