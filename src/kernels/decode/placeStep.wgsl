// One new token per row: turns its query and key to its position, and keeps key and value for the tokens to come.
override HEADS: u32;
override KEY_HEADS: u32;
override HEAD_SIZE: u32;

struct Sizes {
  rows: u32, // of a replica
  step: u32, // place of the token in its action
  width: u32, // tokens that are kept of a row
}

@group(0) @binding(0) var<storage, read> angles: array<vec2f>;
// [R, rows] tokens of the prompt.
@group(0) @binding(1) var<storage, read> promptLengths: array<i32>;
// Laid out as in attention.wgsl.
@group(0) @binding(2) var<storage, read_write> qkv: array<f32>;
// [R, rows, width, 2, key heads · head size] keys, values.
@group(0) @binding(3) var<storage, read_write> suffix: array<f32>;
@group(0) @binding(4) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let half = HEAD_SIZE / 2u;
  let perRow = (HEADS + KEY_HEADS) * half;
  if (id.x >= sizes.rows * perRow) {
    return;
  }
  let row = id.x / perRow;
  let head = (id.x % perRow) / half;
  let i = id.x % half;
  let position = u32(promptLengths[id.z * sizes.rows + row]) + sizes.step;
  let angle = angles[position * half + i];
  let base = id.z * sizes.rows * (HEADS + 2u * KEY_HEADS) * HEAD_SIZE;
  if (head < HEADS) {
    let at = base + (row * HEADS + head) * HEAD_SIZE + i;
    let first = qkv[at];
    let second = qkv[at + half];
    qkv[at] = first * angle.x - second * angle.y;
    qkv[at + half] = second * angle.x + first * angle.y;
    return;
  }
  let keyHead = head - HEADS;
  let key = base + (sizes.rows * HEADS + row * KEY_HEADS + keyHead) * HEAD_SIZE + i;
  let value = key + sizes.rows * KEY_HEADS * HEAD_SIZE;
  let kept = (((id.z * sizes.rows + row) * sizes.width + sizes.step) * 2u * KEY_HEADS + keyHead) * HEAD_SIZE + i;
  let keptValue = kept + KEY_HEADS * HEAD_SIZE;
  let first = qkv[key];
  let second = qkv[key + half];
  suffix[kept] = first * angle.x - second * angle.y;
  suffix[kept + half] = second * angle.x + first * angle.y;
  suffix[keptValue] = qkv[value];
  suffix[keptValue + half] = qkv[value + half];
}
