// gradient[r][token] = sum of the rows of that token, in the order of the rows: the same sum on every device.
override WIDTH: u32;
override VOCABULARY: u32;

struct Sizes {
  rows: u32, // of a replica
  tableReplica: u32, // from one replica to the next
  tableOffset: u32,
}

@group(0) @binding(0) var<storage, read> tokens: array<i32>;
@group(0) @binding(1) var<storage, read> upstream: array<f32>;
@group(0) @binding(2) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let cell = id.x;
  if (cell >= VOCABULARY * WIDTH) {
    return;
  }
  let token = i32(cell / WIDTH);
  let column = cell % WIDTH;
  var sum = 0.0;
  for (var row = 0u; row < sizes.rows; row++) {
    if (tokens[id.z * sizes.rows + row] == token) {
      sum += upstream[(id.z * sizes.rows + row) * WIDTH + column];
    }
  }
  gradient[id.z * sizes.tableReplica + sizes.tableOffset + cell] = sum;
}
