// out = x · inverse · gain with inverse = 1/√(mean x² + ε) per row, one replica per workgroup z, one row per thread. With TAKE = 1 of
// the rows that `taken` names.
override WIDTH: u32; // a multiple of 4
override TAKE: u32;

const EPSILON = 1e-6;

struct Sizes {
  rows: u32, // of x, of a replica
  outRows: u32,
  gainReplica: u32, // elements from one replica to the next
  gainOffset: u32,
}

@group(0) @binding(0) var<storage, read> x: array<vec4f>;
@group(0) @binding(1) var<storage, read> gain: array<f32>;
@group(0) @binding(2) var<storage, read> taken: array<i32>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> inverse: array<f32>;
@group(0) @binding(5) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.outRows) {
    return;
  }
  let width = WIDTH / 4u;
  let row = id.z * sizes.outRows + id.x;
  var start = row * width;
  if (TAKE == 1u) {
    start = (id.z * sizes.rows + u32(taken[row])) * width;
  }
  var squares = vec4f(0.0);
  for (var i = 0u; i < width; i++) {
    squares += x[start + i] * x[start + i];
  }
  let mean = (squares.x + squares.y + squares.z + squares.w) / f32(WIDTH);
  let scale = inverseSqrt(mean + EPSILON);
  inverse[row] = scale;
  let gains = id.z * sizes.gainReplica + sizes.gainOffset;
  for (var i = 0u; i < width; i++) {
    let at = gains + 4u * i;
    let own = vec4f(gain[at], gain[at + 1u], gain[at + 2u], gain[at + 3u]);
    out[row * width + i] = x[start + i] * scale * own;
  }
}
