// out[r, k] = x[r, rows[r, k]], one replica per workgroup z.
override ROWS: u32;
override TAKEN: u32;
override WIDTH: u32;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> rows: array<i32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= TAKEN * WIDTH) {
    return;
  }
  let row = u32(rows[id.z * TAKEN + id.x / WIDTH]);
  out[id.z * TAKEN * WIDTH + id.x] = x[(id.z * ROWS + row) * WIDTH + id.x % WIDTH];
}
