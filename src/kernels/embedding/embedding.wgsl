// out[r, row] = table[r][tokens[r, row]], one replica per workgroup z, four numbers per thread.
override WIDTH: u32; // a multiple of 4

struct Sizes {
  rows: u32, // of a replica
  tableReplica: u32, // elements from one replica to the next
  tableOffset: u32,
}

@group(0) @binding(0) var<storage, read> tokens: array<i32>;
@group(0) @binding(1) var<storage, read> table: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let width = WIDTH / 4u;
  if (id.x >= sizes.rows * width) {
    return;
  }
  let token = u32(tokens[id.z * sizes.rows + id.x / width]);
  let at = id.z * sizes.tableReplica + sizes.tableOffset + token * WIDTH + 4u * (id.x % width);
  out[id.z * sizes.rows * width + id.x] = vec4f(table[at], table[at + 1u], table[at + 2u], table[at + 3u]);
}
