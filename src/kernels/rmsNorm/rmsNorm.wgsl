// out = x · inverse · gain with inverse = 1/√(mean x² + ε) per row, one replica per workgroup z, one row per thread.
override WIDTH: u32;

const EPSILON = 1e-6;

struct Sizes {
  rows: u32, // of a replica
  gainReplica: u32, // from one replica to the next
  gainOffset: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> gain: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<storage, read_write> inverse: array<f32>;
@group(0) @binding(4) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.rows) {
    return;
  }
  let row = id.z * sizes.rows + id.x;
  var squares = 0.0;
  for (var i = 0u; i < WIDTH; i++) {
    let value = x[row * WIDTH + i];
    squares += value * value;
  }
  let scale = inverseSqrt(squares / f32(WIDTH) + EPSILON);
  inverse[row] = scale;
  for (var i = 0u; i < WIDTH; i++) {
    out[row * WIDTH + i] = x[row * WIDTH + i] * scale * gain[id.z * sizes.gainReplica + sizes.gainOffset + i];
  }
}
