// gradient of the gain = sum over the rows of upstream · x · inverse, in the order of the rows. One column per thread.
override WIDTH: u32;

struct Sizes {
  rows: u32, // of a replica
  gainReplica: u32, // from one replica to the next
  gainOffset: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> inverse: array<f32>;
@group(0) @binding(2) var<storage, read> upstream: array<f32>;
@group(0) @binding(3) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(4) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= WIDTH) {
    return;
  }
  var sum = 0.0;
  for (var i = 0u; i < sizes.rows; i++) {
    let row = id.z * sizes.rows + i;
    sum += upstream[row * WIDTH + id.x] * x[row * WIDTH + id.x] * inverse[row];
  }
  gradient[id.z * sizes.gainReplica + sizes.gainOffset + id.x] = sum;
}
