// out[r, row] = upstream[r, siteOfRow[r, row]], or 0 where the row was not taken: its site is TAKEN or more.
override ROWS: u32;
override TAKEN: u32;
override WIDTH: u32;

@group(0) @binding(0) var<storage, read> upstream: array<f32>;
@group(0) @binding(1) var<storage, read> siteOfRow: array<i32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= ROWS * WIDTH) {
    return;
  }
  let site = u32(siteOfRow[id.z * ROWS + id.x / WIDTH]);
  var value = 0.0;
  if (site < TAKEN) {
    value = upstream[(id.z * TAKEN + site) * WIDTH + id.x % WIDTH];
  }
  out[id.z * ROWS * WIDTH + id.x] = value;
}
