// Turns each pair (x₁, x₂) of a head's halves by the angle of its position, in place; backwards with SIGN = −1.
override WIDTH: u32;
override HEAD_SIZE: u32;
override SIGN: f32;

struct Sizes {
  rows: u32, // of a replica
  length: u32, // tokens of a sequence
}

@group(0) @binding(0) var<storage, read> angles: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> x: array<f32>;
@group(0) @binding(2) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let half = HEAD_SIZE / 2u;
  let pairs = WIDTH / 2u;
  if (id.x >= sizes.rows * pairs) {
    return;
  }
  let row = id.x / pairs;
  let head = (id.x % pairs) / half;
  let i = id.x % half;
  let angle = angles[(row % sizes.length) * half + i];
  let at = (id.z * sizes.rows + row) * WIDTH + head * HEAD_SIZE + i;
  let first = x[at];
  let second = x[at + half];
  let s = SIGN * angle.y;
  x[at] = first * angle.x - second * s;
  x[at + half] = second * angle.x + first * s;
}
