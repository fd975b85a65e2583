// out[r, row] = table[r][tokens[r, row]], one replica per workgroup z.
override WIDTH: u32;

struct Sizes {
  rows: u32, // of a replica
  tableReplica: u32, // from one replica to the next
  tableOffset: u32,
}

@group(0) @binding(0) var<storage, read> tokens: array<i32>;
@group(0) @binding(1) var<storage, read> table: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let cell = id.x;
  if (cell >= sizes.rows * WIDTH) {
    return;
  }
  let token = u32(tokens[id.z * sizes.rows + cell / WIDTH]);
  let at = id.z * sizes.tableReplica + sizes.tableOffset + token * WIDTH + cell % WIDTH;
  out[id.z * sizes.rows * WIDTH + cell] = table[at];
}
