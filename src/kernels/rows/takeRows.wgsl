// out[r, k] = x[r, rows[r, k]], one replica per workgroup z.
override WIDTH: u32;

struct Sizes {
  rows: u32, // of a replica
  taken: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> rows: array<i32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.taken * WIDTH) {
    return;
  }
  let row = u32(rows[id.z * sizes.taken + id.x / WIDTH]);
  out[id.z * sizes.taken * WIDTH + id.x] = x[(id.z * sizes.rows + row) * WIDTH + id.x % WIDTH];
}
