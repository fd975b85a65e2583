// out = x · inverse · gain with inverse = 1/√(mean x² + ε) per row, one replica per workgroup z, one row per thread.
override ROWS: u32;
override WIDTH: u32;
override GAIN_REPLICA: u32;
override GAIN_OFFSET: u32;

const EPSILON = 1e-6;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> gain: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<storage, read_write> inverse: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= ROWS) {
    return;
  }
  let row = id.z * ROWS + id.x;
  var squares = 0.0;
  for (var i = 0u; i < WIDTH; i++) {
    let value = x[row * WIDTH + i];
    squares += value * value;
  }
  let scale = inverseSqrt(squares / f32(WIDTH) + EPSILON);
  inverse[row] = scale;
  for (var i = 0u; i < WIDTH; i++) {
    out[row * WIDTH + i] = x[row * WIDTH + i] * scale * gain[id.z * GAIN_REPLICA + GAIN_OFFSET + i];
  }
}
