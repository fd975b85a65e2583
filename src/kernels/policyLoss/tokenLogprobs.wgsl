// Log-probability of each action token; 0 for padding. One token per thread.
override VOCABULARY: u32;

struct Sizes {
  cells: u32, // turns · tokens
  sites: u32,
}

struct Token {
  site: i32, // −1 = padding
  token: i32,
  oldLogprob: f32,
  refLogprob: f32,
  lossWeight: f32,
  klWeight: f32,
  share: f32,
}

@group(0) @binding(0) var<storage, read> tokens: array<Token>;
@group(0) @binding(1) var<storage, read> logits: array<f32>;
// [R, K, 2] normaliser and entropy.
@group(0) @binding(2) var<storage, read> sites: array<vec2f>;
@group(0) @binding(3) var<storage, read_write> logprobs: array<f32>;
@group(0) @binding(4) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.cells) {
    return;
  }
  let cell = id.z * sizes.cells + id.x;
  let token = tokens[cell];
  if (token.site < 0) {
    logprobs[cell] = 0.0;
    return;
  }
  let site = id.z * sizes.sites + u32(token.site);
  logprobs[cell] = logits[site * VOCABULARY + u32(token.token)] - sites[site].x;
}
