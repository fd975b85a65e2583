// out[r, row] = table[r][tokens[r, row]], one replica per workgroup z.
override ROWS: u32;
override WIDTH: u32;
override TABLE_REPLICA: u32;
override TABLE_OFFSET: u32;

@group(0) @binding(0) var<storage, read> tokens: array<i32>;
@group(0) @binding(1) var<storage, read> table: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let cell = id.x;
  if (cell >= ROWS * WIDTH) {
    return;
  }
  let token = u32(tokens[id.z * ROWS + cell / WIDTH]);
  let at = id.z * TABLE_REPLICA + TABLE_OFFSET + token * WIDTH + cell % WIDTH;
  out[id.z * ROWS * WIDTH + cell] = table[at];
}
