// gradient of the gain = sum over the rows of upstream · x · inverse, in the order of the rows. One column per thread.
override ROWS: u32;
override WIDTH: u32;
override GAIN_REPLICA: u32;
override GAIN_OFFSET: u32;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> inverse: array<f32>;
@group(0) @binding(2) var<storage, read> upstream: array<f32>;
@group(0) @binding(3) var<storage, read_write> gradient: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= WIDTH) {
    return;
  }
  var sum = 0.0;
  for (var i = 0u; i < ROWS; i++) {
    let row = id.z * ROWS + i;
    sum += upstream[row * WIDTH + id.x] * x[row * WIDTH + id.x] * inverse[row];
  }
  gradient[id.z * GAIN_REPLICA + GAIN_OFFSET + id.x] = sum;
}
