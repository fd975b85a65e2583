// out[r, row] = upstream[r, siteOfRow[r, row]], or 0 where the row was not taken: its site is sizes.taken or more.
override WIDTH: u32;

struct Sizes {
  rows: u32, // of a replica
  taken: u32,
}

@group(0) @binding(0) var<storage, read> upstream: array<f32>;
@group(0) @binding(1) var<storage, read> siteOfRow: array<i32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.rows * WIDTH) {
    return;
  }
  let site = u32(siteOfRow[id.z * sizes.rows + id.x / WIDTH]);
  var value = 0.0;
  if (site < sizes.taken) {
    value = upstream[(id.z * sizes.taken + site) * WIDTH + id.x % WIDTH];
  }
  out[id.z * sizes.rows * WIDTH + id.x] = value;
}
