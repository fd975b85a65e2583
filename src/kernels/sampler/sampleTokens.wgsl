// Gumbel-max with the counter-based noise of `rl/rng`: the next token of each row, and its log-probability. One row per thread.
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

const PARITY = 0x1bd11bdau;
// In place of a log-probability, which never is above 0.
const NOT_FINITE = 1e30;
const LN2 = 0.6931471805599453;

fn mixed(x: vec2u, bits: u32) -> vec2u {
  let sum = x.x + x.y;
  return vec2u(sum, ((x.y << bits) | (x.y >> (32u - bits))) ^ sum);
}

// First word of Threefry-2x32 with 20 rounds.
fn threefry(key: vec2u, counter: vec2u) -> u32 {
  var schedule = array<u32, 3>(key.x, key.y, PARITY ^ key.x ^ key.y);
  var x = counter + key;
  for (var group = 1u; group <= 5u; group++) {
    if (group % 2u == 1u) {
      x = mixed(mixed(mixed(mixed(x, 13u), 15u), 26u), 6u);
    } else {
      x = mixed(mixed(mixed(mixed(x, 17u), 29u), 16u), 24u);
    }
    x += vec2u(schedule[group % 3u], schedule[(group + 1u) % 3u] + group);
  }
  return x.x;
}

// Natural logarithm of a positive normal number to about 1e-7 relative: WGSL lets its own be wrong by 2⁻²¹ near 1, which the noise of
// likely winners would feel.
fn preciseLog(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  var exponent = i32(bits >> 23u) - 127;
  var fraction = bitcast<f32>((bits & 0x007fffffu) | 0x3f800000u);
  if (fraction > 1.4142135) {
    fraction *= 0.5;
    exponent++;
  }
  let s = (fraction - 1.0) / (fraction + 1.0);
  let q = s * s;
  let series = 1.0 + q * (1.0 / 3.0 + q * (1.0 / 5.0 + q * (1.0 / 7.0 + q * (1.0 / 9.0 + q / 11.0))));
  return f32(exponent) * LN2 + 2.0 * s * series;
}

// −log(−log u) with u = (top 23 bits + ½) / 2²³.
fn gumbel(key: vec2u, counter: u32) -> f32 {
  let u = (f32(threefry(key, vec2u(1u, counter)) >> 9u) + 0.5) / 8388608.0;
  return -preciseLog(-preciseLog(u));
}

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
