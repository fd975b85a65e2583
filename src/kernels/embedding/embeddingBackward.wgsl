// gradient[r][token] = sum of the rows of that token, in the order of the rows: the same sum on every device. Four columns per thread.
override WIDTH: u32; // a multiple of 4
override VOCABULARY: u32;

struct Sizes {
  rows: u32, // of a replica
  tableReplica: u32, // elements from one replica to the next
  tableOffset: u32,
}

@group(0) @binding(0) var<storage, read> tokens: array<i32>;
@group(0) @binding(1) var<storage, read> upstream: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let width = WIDTH / 4u;
  if (id.x >= VOCABULARY * width) {
    return;
  }
  let token = i32(id.x / width);
  let column = id.x % width;
  var sum = vec4f(0.0);
  for (var row = 0u; row < sizes.rows; row++) {
    if (tokens[id.z * sizes.rows + row] == token) {
      sum += upstream[(id.z * sizes.rows + row) * width + column];
    }
  }
  let at = id.z * sizes.tableReplica + sizes.tableOffset + 4u * id.x;
  gradient[at] = sum.x;
  gradient[at + 1u] = sum.y;
  gradient[at + 2u] = sum.z;
  gradient[at + 3u] = sum.w;
}
