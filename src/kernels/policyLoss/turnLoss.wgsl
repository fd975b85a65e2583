// The losses of `rl/surrogateLoss` and the KL penalty of `rl/klPenalty`, one turn per thread: ∂loss/∂log-probability of each of its
// tokens, and its part of the statistics.
override VOCABULARY: u32;
override STATS: u32;

struct Sizes {
  turns: u32,
  tokens: u32, // of the longest action
  sites: u32,
}

const SUPERVISED = 0.0;
const CLIP = 1.0;
const GSPO = 2.0;
const GSPO_TOKEN = 3.0;
const CISPO = 4.0;
const SAPO = 5.0;
// Beyond it a ratio is held: exp would overflow and 0 · ∞ give NaN. Unit: nats.
const MAX_LOG_RATIO = 20.0;

struct Loss {
  kind: f32,
  low: f32, // smallest ratio, or weight
  high: f32,
  dualClip: f32, // 0 = off
  tauPositive: f32,
  tauNegative: f32,
  klCoef: f32,
  klEstimator: f32, // 1, 2, 3; 4 = value of 3, gradient of 2
  maxMeanLogRatio: f32, // below 0 = off
  entropyCoef: f32,
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

@group(0) @binding(0) var<storage, read> losses: array<Loss>;
@group(0) @binding(1) var<storage, read> tokens: array<Token>;
@group(0) @binding(2) var<storage, read> advantages: array<f32>;
@group(0) @binding(3) var<storage, read> logits: array<f32>;
@group(0) @binding(4) var<storage, read> sites: array<vec2f>;
@group(0) @binding(5) var<storage, read_write> slopes: array<f32>;
@group(0) @binding(6) var<storage, read_write> stats: array<f32>;
@group(0) @binding(7) var<uniform> sizes: Sizes;

fn logprobOf(replica: u32, token: Token) -> f32 {
  let site = replica * sizes.sites + u32(token.site);
  return logits[site * VOCABULARY + u32(token.token)] - sites[site].x;
}

fn bounded(logRatio: f32) -> f32 {
  return clamp(logRatio, -MAX_LOG_RATIO, MAX_LOG_RATIO);
}

fn isBounded(logRatio: f32) -> bool {
  return abs(logRatio) <= MAX_LOG_RATIO;
}

fn k3(d: f32) -> f32 {
  return exp(-d) - 1.0 + d;
}

struct Term {
  loss: f32,
  slope: f32, // by log ρ, or by the log-probability
  isLow: bool,
  isHigh: bool,
}

fn clippedTerm(loss: Loss, advantage: f32, ratio: f32) -> Term {
  let plain = ratio * advantage;
  let clipped = clamp(ratio, loss.low, loss.high) * advantage;
  let isLow = (advantage < 0.0) && (ratio < loss.low);
  let isHigh = (advantage > 0.0) && (ratio > loss.high);
  var term = Term(-plain, -plain, isLow, isHigh);
  if (clipped < plain) {
    term.loss = -clipped;
    term.slope = 0.0;
  }
  if (loss.dualClip > 0.0 && advantage < 0.0 && -term.loss < loss.dualClip * advantage) {
    term.loss = -loss.dualClip * advantage;
    term.slope = 0.0;
  }
  return term;
}

fn termOf(loss: Loss, advantage: f32, ratio: f32, logprob: f32) -> Term {
  if (loss.kind == CISPO) {
    let weight = clamp(ratio, loss.low, loss.high);
    let isLow = (ratio < loss.low);
    let isHigh = (ratio > loss.high);
    return Term(-weight * advantage * logprob, -weight * advantage, isLow, isHigh);
  }
  if (loss.kind == SAPO) {
    let tau = select(loss.tauNegative, loss.tauPositive, advantage > 0.0);
    let sigma = 1.0 / (1.0 + exp(-tau * (ratio - 1.0)));
    let slope = -advantage * 4.0 * sigma * (1.0 - sigma) * ratio;
    return Term(-advantage * 4.0 / tau * sigma, slope, false, false);
  }
  if (loss.kind == SUPERVISED) {
    return Term(-logprob, -1.0, false, false);
  }
  return clippedTerm(loss, advantage, ratio);
}

fn klSlope(loss: Loss, d: f32) -> f32 {
  if (!isBounded(d)) {
    return 0.0;
  }
  if (loss.klEstimator == 1.0) {
    return 1.0;
  }
  if (loss.klEstimator == 3.0) {
    return 1.0 - exp(-d);
  }
  return d;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.turns) {
    return;
  }
  let loss = losses[id.z];
  let turn = id.z * sizes.turns + id.x;
  let advantage = advantages[turn];
  let first = turn * sizes.tokens;
  var length = 0.0;
  var logRatioSum = 0.0;
  var weightSum = 0.0;
  for (var t = 0u; t < sizes.tokens; t++) {
    let token = tokens[first + t];
    if (token.site >= 0) {
      length += 1.0;
      logRatioSum += logprobOf(id.z, token) - token.oldLogprob;
      weightSum += token.lossWeight;
    }
  }
  let meanLogRatio = logRatioSum / max(length, 1.0);
  let isDropped = loss.kind != SUPERVISED && loss.maxMeanLogRatio >= 0.0 && advantage < 0.0 && -meanLogRatio > loss.maxMeanLogRatio;
  let keep = select(1.0, 0.0, isDropped);
  let isByTurn = loss.kind == GSPO || loss.kind == GSPO_TOKEN;
  var sums: array<f32, 7>;
  for (var t = 0u; t < sizes.tokens; t++) {
    let token = tokens[first + t];
    if (token.site < 0) {
      slopes[first + t] = 0.0;
      continue;
    }
    let logprob = logprobOf(id.z, token);
    let own = logprob - token.oldLogprob;
    let logRatio = select(own, meanLogRatio, isByTurn);
    let term = termOf(loss, advantage, exp(bounded(logRatio)), logprob);
    // A ratio that is held has no gradient; CISPO and cross-entropy have theirs from the log-probability itself.
    let isHeld = !isBounded(logRatio) && loss.kind != CISPO && loss.kind != SUPERVISED;
    var slope = select(term.slope, 0.0, isHeld) * token.lossWeight;
    if (loss.kind == GSPO) {
      // Every token moves the turn's ratio, and the ratio every token's loss.
      slope = select(term.slope, 0.0, isHeld) * weightSum / max(length, 1.0);
    }
    let d = logprob - token.refLogprob;
    if (loss.kind != SUPERVISED && loss.klCoef > 0.0) {
      slope += loss.klCoef * token.klWeight * klSlope(loss, d);
    }
    slopes[first + t] = slope * keep;
    let ratio = exp(bounded(own));
    sums[0] += token.share * term.loss;
    sums[1] += select(0.0, token.share, term.isLow);
    sums[2] += select(0.0, token.share, term.isHigh);
    sums[3] += token.share * k3(bounded(d));
    sums[4] += token.share * k3(-bounded(own));
    sums[5] += token.share * ratio * ratio;
    sums[6] += token.share * ratio;
  }
  for (var i = 0u; i < STATS; i++) {
    stats[turn * STATS + i] = sums[i];
  }
}
