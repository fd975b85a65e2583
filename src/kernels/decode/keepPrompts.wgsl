// One layer's keys and values of all prompts, from where attention left them to where all layers' stand together.
override HEADS: u32;
override KEY_HEADS: u32;
override HEAD_SIZE: u32;
override LAYERS: u32;

struct Sizes {
  rows: u32, // of a replica: all tokens of all prompts
  layer: u32,
}

// Laid out as in attention.wgsl.
@group(0) @binding(0) var<storage, read> qkv: array<f32>;
// [R, layers, rows, 2, key heads · head size] keys, values.
@group(0) @binding(1) var<storage, read_write> cache: array<f32>;
@group(0) @binding(2) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let width = KEY_HEADS * HEAD_SIZE;
  if (id.x >= sizes.rows * width) {
    return;
  }
  let row = id.x / width;
  let queries = HEADS * HEAD_SIZE;
  let key = id.z * sizes.rows * (queries + 2u * width) + sizes.rows * queries + id.x;
  let kept = ((id.z * LAYERS + sizes.layer) * sizes.rows + row) * 2u * width + id.x % width;
  cache[kept] = qkv[key];
  cache[kept + width] = qkv[key + sizes.rows * width];
}
