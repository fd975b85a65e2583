// Gumbel-max with the counter-based noise of `rl/rng`: the next token of each row, and its log-probability. One row per thread.
// After noise.wgsl.
override VOCABULARY: u32;

struct Sizes {
  rows: u32, // of a replica
  sites: u32, // of a replica: rows of logits
  isDirect: u32, // 1: row and site are the same
  position: u32, // of the token in its action: times the vocabulary, where its counters begin
  width: u32, // tokens of the longest action
  isGreedy: u32,
}

@group(0) @binding(0) var<storage, read> logits: array<f32>;
// [R, rows] the logits that each row draws from.
@group(0) @binding(1) var<storage, read> siteOf: array<i32>;
// [R, rows] key of the turn's noise.
@group(0) @binding(2) var<storage, read> keys: array<vec2u>;
// [R, rows]
@group(0) @binding(3) var<storage, read_write> tokens: array<i32>;
// [R, rows, width] token and its log-probability (nats); 1e30 where a logit is not finite.
@group(0) @binding(4) var<storage, read_write> draws: array<vec2f>;
@group(0) @binding(5) var<uniform> sizes: Sizes;

// In place of a log-probability, which never is above 0.
const NOT_FINITE = 1e30;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.rows) {
    return;
  }
  let row = id.z * sizes.rows + id.x;
  let site = select(u32(siteOf[row]), id.x, sizes.isDirect == 1u);
  let first = (id.z * sizes.sites + site) * VOCABULARY;
  var largest = logits[first];
  var isFinite = true;
  for (var v = 0u; v < VOCABULARY; v++) {
    let logit = logits[first + v];
    largest = max(largest, logit);
    // By bits: comparisons with NaN may be optimised away.
    isFinite = isFinite && (bitcast<u32>(logit) & 0x7f800000u) != 0x7f800000u;
  }
  var total = 0.0;
  var best = -3e38;
  var token = 0u;
  for (var v = 0u; v < VOCABULARY; v++) {
    let logit = logits[first + v] - largest;
    total += exp(logit);
    var score = logit;
    if (sizes.isGreedy == 0u) {
      score += gumbel(keys[row], sizes.position * VOCABULARY + v);
    }
    if (score > best) {
      best = score;
      token = v;
    }
  }
  tokens[row] = i32(token);
  var logprob = logits[first + token] - largest - preciseLog(total);
  if (!isFinite) {
    logprob = NOT_FINITE;
  }
  draws[row * sizes.width + sizes.position] = vec2f(f32(token), logprob);
}
