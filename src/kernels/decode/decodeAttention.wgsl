// Attention of one new token per row over the keys of its prompt, which rows may share, and of the action so far, itself included.
// One head of one row per thread, four keys of the prompt at a time.
override HEADS: u32;
override KEY_HEADS: u32;
override HEAD_SIZE: u32; // a multiple of 4

struct Sizes {
  rows: u32, // of a replica
  promptRows: u32, // of a replica: all tokens of all prompts
  length: u32, // tokens of a prompt, with padding
  step: u32, // place of the token in its action
  width: u32, // tokens that are kept of a row
}

// Laid out as in attention.wgsl: of the new tokens, and of the prompts.
@group(0) @binding(0) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(1) var<storage, read> prompts: array<vec4f>;
// [R, rows, width, 2, key heads · head size] keys, values.
@group(0) @binding(2) var<storage, read> suffix: array<vec4f>;
// [R, rows] prompt of each row, and its tokens.
@group(0) @binding(3) var<storage, read> promptOf: array<i32>;
@group(0) @binding(4) var<storage, read> promptLengths: array<i32>;
// [R, rows, heads · head size]
@group(0) @binding(5) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(6) var<uniform> sizes: Sizes;

const SMALLEST = -1e30;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.rows * HEADS) {
    return;
  }
  let size = HEAD_SIZE / 4u;
  let head = id.x % HEADS;
  let row = id.x / HEADS;
  let own = id.z * sizes.rows + row;
  let keyHead = head / (HEADS / KEY_HEADS);
  let keyStep = KEY_HEADS * size;
  let q = (id.z * sizes.rows * (HEADS + 2u * KEY_HEADS) + row * HEADS + head) * size;
  let o = (own * HEADS + head) * size;
  let promptBase = id.z * sizes.promptRows * (HEADS + 2u * KEY_HEADS) * size;
  let firstRow = u32(promptOf[own]) * sizes.length;
  let keys = promptBase + sizes.promptRows * HEADS * size + firstRow * keyStep + keyHead * size;
  let values = keys + sizes.promptRows * keyStep;
  let scale = inverseSqrt(f32(HEAD_SIZE));
  for (var i = 0u; i < size; i++) {
    out[o + i] = vec4f(0.0);
  }
  var largest = SMALLEST;
  var total = 0.0;
  let count = u32(promptLengths[own]);
  for (var j = 0u; j < count; j += 4u) {
    let isThere = vec4u(j, j + 1u, j + 2u, j + 3u) < vec4u(count);
    let places = min(vec4u(j, j + 1u, j + 2u, j + 3u), vec4u(count - 1u)) * keyStep;
    let k = vec4u(keys) + places;
    var scores = vec4f(0.0);
    for (var i = 0u; i < size; i++) {
      let query = qkv[q + i];
      scores += vec4f(dot(query, prompts[k.x + i]), dot(query, prompts[k.y + i]), dot(query, prompts[k.z + i]), dot(query, prompts[k.w + i]));
    }
    scores = select(vec4f(SMALLEST), scores * scale, isThere);
    let next = max(max(max(scores.x, scores.y), max(scores.z, scores.w)), largest);
    let decay = exp(largest - next);
    let weights = select(vec4f(0.0), exp(scores - next), isThere);
    total = total * decay + weights.x + weights.y + weights.z + weights.w;
    let v = vec4u(values) + places;
    for (var i = 0u; i < size; i++) {
      let sum = weights.x * prompts[v.x + i] + weights.y * prompts[v.y + i] + weights.z * prompts[v.z + i] + weights.w * prompts[v.w + i];
      out[o + i] = out[o + i] * decay + sum;
    }
    largest = next;
  }
  for (var j = 0u; j <= sizes.step; j++) {
    let k = ((own * sizes.width + j) * 2u * KEY_HEADS + keyHead) * size;
    var score = 0.0;
    for (var i = 0u; i < size; i++) {
      score += dot(qkv[q + i], suffix[k + i]);
    }
    score *= scale;
    let next = max(score, largest);
    let decay = exp(largest - next);
    let weight = exp(score - next);
    total = total * decay + weight;
    for (var i = 0u; i < size; i++) {
      out[o + i] = out[o + i] * decay + weight * suffix[k + keyStep + i];
    }
    largest = next;
  }
  for (var i = 0u; i < size; i++) {
    out[o + i] /= total;
  }
}
