// Several tokens of four rows in one workgroup: it goes through tokens and layers, and the activations stay in its memory. The four rows
// are the components of a vec4, so a weight that is read serves all of them. After noise.wgsl. Variables are set to 0 in words: declared
// without a value inside a loop, they kept their last one in its second round on Chromium's software adapter.
override WIDTH: u32;
override HEADS: u32;
override KEY_HEADS: u32;
override HEAD_SIZE: u32;
override INNER: u32;
override VOCABULARY: u32;
override LAYERS: u32;
override THREADS: u32; // of a workgroup
override WIDEST: u32; // of queries, keys and values together, INNER and VOCABULARY
override TILE: u32; // keys whose scores are held at a time
override SCORES: u32; // the larger of HEADS · TILE and VOCABULARY

const SMALLEST = -1e30;
const EPSILON = 1e-6;
// In place of a log-probability, which never is above 0.
const NOT_FINITE = 1e30;

struct Sizes {
  rows: u32, // of a replica
  prompts: u32, // of a replica
  length: u32, // tokens of a prompt, with padding
  width: u32, // tokens of the longest action
  first: u32, // the tokens that this dispatch draws: from here
  end: u32, // to before here
  isGreedy: u32,
  // Places in the weights, of layers in the first one. Elements.
  replica: u32, // from one replica to the next
  layer: u32, // from one layer to the next
  embedding: u32,
  attentionGain: u32,
  queries: u32,
  keys: u32,
  values: u32,
  output: u32,
  mlpGain: u32,
  gate: u32,
  up: u32,
  down: u32,
  finalGain: u32,
  head: u32,
  headRow: u32, // from one input to the next, and from one token to the next
  headColumn: u32,
}

// [R, P]
@group(0) @binding(0) var<storage, read> weights: array<f32>;
@group(0) @binding(1) var<storage, read> angles: array<vec2f>;
// [R, layers, prompts · length, 2, key heads · head size] keys, values.
@group(0) @binding(2) var<storage, read> promptCache: array<f32>;
// [R, prompts, vocabulary] logits of each prompt's next token.
@group(0) @binding(3) var<storage, read> promptLogits: array<f32>;
// [R, rows] prompt of each row.
@group(0) @binding(4) var<storage, read> promptOf: array<i32>;
// [R, rows] key of the noise (2), tokens of the prompt, tokens of the action.
@group(0) @binding(5) var<storage, read> rowData: array<vec4u>;
// [R, layers, rows, width, 2, key heads · head size] keys, values.
@group(0) @binding(6) var<storage, read_write> suffixCache: array<f32>;
// [R, rows, width] token and its log-probability (nats); NOT_FINITE where a logit is not finite.
@group(0) @binding(7) var<storage, read_write> draws: array<vec2f>;
@group(0) @binding(8) var<uniform> sizes: Sizes;

var<workgroup> stream: array<vec4f, WIDTH>;
// What a product reads, and what attention gives.
var<workgroup> normed: array<vec4f, WIDTH>;
// Queries, keys and values; the inner activations; logits.
var<workgroup> wide: array<vec4f, WIDEST>;
// [heads, tile] attention scores, then weights; [vocabulary] logits with noise.
var<workgroup> scores: array<vec4f, SCORES>;
var<workgroup> largest: array<vec4f, HEADS>;
var<workgroup> decays: array<vec4f, HEADS>;
var<workgroup> totals: array<vec4f, HEADS>;
var<workgroup> partials: array<vec4f, THREADS>;
var<workgroup> sums: array<vec4f, 16>;
var<workgroup> newest: array<u32, 4>;

// What a thread knows of the four rows.
struct Rows {
  replica: u32,
  // Index among the rows of all replicas.
  own: vec4u,
  // Of their prompt, among all tokens of the replica's prompts.
  prompt: vec4u,
  promptLength: vec4u,
  // 1: not there, another row stands in.
  isAbsent: vec4<bool>,
}

fn rowsOf(group: u32, replica: u32) -> Rows {
  let row = vec4u(group * 4u) + vec4u(0u, 1u, 2u, 3u);
  let own = replica * sizes.rows + min(row, vec4u(sizes.rows - 1u));
  var rows: Rows;
  rows.replica = replica;
  rows.own = own;
  rows.prompt = sizes.length * vec4u(u32(promptOf[own.x]), u32(promptOf[own.y]), u32(promptOf[own.z]), u32(promptOf[own.w]));
  rows.promptLength = vec4u(rowData[own.x].z, rowData[own.y].z, rowData[own.z].z, rowData[own.w].z);
  rows.isAbsent = row >= vec4u(sizes.rows);
  return rows;
}

// Σ normed[k] · weights[at + k · step]
fn normedTimes(at: u32, step: u32) -> vec4f {
  var sum = vec4f(0.0);
  var place = at;
  for (var k = 0u; k < WIDTH; k += 4u) {
    let w = vec4f(weights[place], weights[place + step], weights[place + 2u * step], weights[place + 3u * step]);
    sum += normed[k] * w.x + normed[k + 1u] * w.y + normed[k + 2u] * w.z + normed[k + 3u] * w.w;
    place += 4u * step;
  }
  return sum;
}

// Σ wide[k] · weights[at + k · WIDTH] over INNER.
fn innerTimes(at: u32) -> vec4f {
  var sum = vec4f(0.0);
  var place = at;
  var k = 0u;
  for (; k + 4u <= INNER; k += 4u) {
    let w = vec4f(weights[place], weights[place + WIDTH], weights[place + 2u * WIDTH], weights[place + 3u * WIDTH]);
    sum += wide[k] * w.x + wide[k + 1u] * w.y + wide[k + 2u] * w.z + wide[k + 3u] * w.w;
    place += 4u * WIDTH;
  }
  for (; k < INNER; k++) {
    sum += wide[k] * weights[place];
    place += WIDTH;
  }
  return sum;
}

// normed = stream / rms · gain
fn normalise(thread: u32, gain: u32) {
  var squares = vec4f(0.0);
  for (var d = thread; d < WIDTH; d += THREADS) {
    squares += stream[d] * stream[d];
  }
  partials[thread] = squares;
  workgroupBarrier();
  if (thread < 16u) {
    var sum = vec4f(0.0);
    for (var i = thread; i < THREADS; i += 16u) {
      sum += partials[i];
    }
    sums[thread] = sum;
  }
  workgroupBarrier();
  var total = vec4f(0.0);
  for (var i = 0u; i < 16u; i++) {
    total += sums[i];
  }
  let scale = inverseSqrt(total / f32(WIDTH) + EPSILON);
  for (var d = thread; d < WIDTH; d += THREADS) {
    normed[d] = stream[d] * scale * weights[gain + d];
  }
  workgroupBarrier();
}

// Queries, keys and values of the new tokens; turns queries and keys to their position, and keeps keys and values.
fn project(thread: u32, rows: Rows, layer: u32, step: u32) {
  let keyWidth = KEY_HEADS * HEAD_SIZE;
  let base = rows.replica * sizes.replica + layer * sizes.layer;
  for (var n = thread; n < WIDTH + 2u * keyWidth; n += THREADS) {
    if (n < WIDTH) {
      wide[n] = normedTimes(base + sizes.queries + n, WIDTH);
    } else if (n < WIDTH + keyWidth) {
      wide[n] = normedTimes(base + sizes.keys + n - WIDTH, keyWidth);
    } else {
      wide[n] = normedTimes(base + sizes.values + n - WIDTH - keyWidth, keyWidth);
    }
  }
  workgroupBarrier();
  let half = HEAD_SIZE / 2u;
  let position = (rows.promptLength + step) * half;
  // From one replica's rows in a layer to the row's own place.
  let kept = (((rows.replica * LAYERS + layer) * sizes.rows + rows.own - rows.replica * sizes.rows) * sizes.width + step) * 2u * keyWidth;
  for (var p = thread; p < (HEADS + KEY_HEADS) * half; p += THREADS) {
    let i = p % half;
    let at = p / half * HEAD_SIZE + i;
    let a = angles[position.x + i];
    let b = angles[position.y + i];
    let c = angles[position.z + i];
    let d = angles[position.w + i];
    let cosine = vec4f(a.x, b.x, c.x, d.x);
    let sine = vec4f(a.y, b.y, c.y, d.y);
    let first = wide[at] * cosine - wide[at + half] * sine;
    let second = wide[at + half] * cosine + wide[at] * sine;
    if (at < WIDTH) {
      wide[at] = first;
      wide[at + half] = second;
      continue;
    }
    let value = at + keyWidth;
    for (var r = 0u; r < 4u; r++) {
      if (rows.isAbsent[r]) {
        continue;
      }
      let key = kept[r] + at - WIDTH;
      suffixCache[key] = first[r];
      suffixCache[key + half] = second[r];
      suffixCache[key + keyWidth] = wide[value][r];
      suffixCache[key + keyWidth + half] = wide[value + half][r];
    }
  }
  storageBarrier();
  workgroupBarrier();
}

// normed = softmax(q·k/√head size)·v over the prompt's keys and the action's up to `step`.
fn attend(thread: u32, rows: Rows, layer: u32, step: u32) {
  let keyWidth = KEY_HEADS * HEAD_SIZE;
  let perKey = HEADS / KEY_HEADS;
  let scale = inverseSqrt(f32(HEAD_SIZE));
  let inPrompts = ((rows.replica * LAYERS + layer) * sizes.prompts * sizes.length + rows.prompt) * 2u * keyWidth;
  let inSuffix = ((rows.replica * LAYERS + layer) * sizes.rows + rows.own - rows.replica * sizes.rows) * sizes.width * 2u * keyWidth;
  let count = rows.promptLength + step + 1u;
  let most = max(max(count.x, count.y), max(count.z, count.w));
  for (var h = thread; h < HEADS; h += THREADS) {
    largest[h] = vec4f(SMALLEST);
    totals[h] = vec4f(0.0);
  }
  for (var start = 0u; start < most; start += TILE) {
    let held = min(TILE, most - start);
    for (var item = thread; item < HEADS * held; item += THREADS) {
      let h = item / held;
      let j = start + item % held;
      let inKey = h / perKey * HEAD_SIZE;
      var score = vec4f(SMALLEST);
      for (var r = 0u; r < 4u; r++) {
        if (j >= count[r]) {
          continue;
        }
        var sum = 0.0;
        if (j < rows.promptLength[r]) {
          let at = inPrompts[r] + j * 2u * keyWidth + inKey;
          for (var i = 0u; i < HEAD_SIZE; i++) {
            sum += wide[h * HEAD_SIZE + i][r] * promptCache[at + i];
          }
        } else {
          let at = inSuffix[r] + (j - rows.promptLength[r]) * 2u * keyWidth + inKey;
          for (var i = 0u; i < HEAD_SIZE; i++) {
            sum += wide[h * HEAD_SIZE + i][r] * suffixCache[at + i];
          }
        }
        score[r] = sum * scale;
      }
      scores[h * TILE + item % held] = score;
    }
    workgroupBarrier();
    for (var h = thread; h < HEADS; h += THREADS) {
      var next = largest[h];
      for (var j = 0u; j < held; j++) {
        next = max(next, scores[h * TILE + j]);
      }
      var total = vec4f(0.0);
      for (var j = 0u; j < held; j++) {
        // Of keys that are not there: exp(−1e30 − …) = 0.
        let weight = exp(scores[h * TILE + j] - next);
        scores[h * TILE + j] = weight;
        total += weight;
      }
      let decay = exp(largest[h] - next);
      decays[h] = decay;
      totals[h] = totals[h] * decay + total;
      largest[h] = next;
    }
    workgroupBarrier();
    for (var d = thread; d < WIDTH; d += THREADS) {
      let h = d / HEAD_SIZE;
      let inValue = h / perKey * HEAD_SIZE + d % HEAD_SIZE + keyWidth;
      var sum = vec4f(0.0);
      if (start > 0u) {
        sum = normed[d] * decays[h];
      }
      for (var r = 0u; r < 4u; r++) {
        let here = min(held, max(count[r], start) - start);
        let prompt = min(here, max(rows.promptLength[r], start) - start);
        var own = 0.0;
        var at = inPrompts[r] + start * 2u * keyWidth + inValue;
        for (var j = 0u; j < prompt; j++) {
          own += scores[h * TILE + j][r] * promptCache[at];
          at += 2u * keyWidth;
        }
        at = inSuffix[r] + (start + prompt - rows.promptLength[r]) * 2u * keyWidth + inValue;
        for (var j = prompt; j < here; j++) {
          own += scores[h * TILE + j][r] * suffixCache[at];
          at += 2u * keyWidth;
        }
        sum[r] += own;
      }
      if (start + TILE >= most) {
        sum /= totals[h];
      }
      normed[d] = sum;
    }
    workgroupBarrier();
  }
}

// wide = logits of the token after `newest`, which is number `step` of the action.
fn forward(thread: u32, rows: Rows, step: u32) {
  let base = rows.replica * sizes.replica;
  for (var d = thread; d < WIDTH; d += THREADS) {
    let column = base + sizes.embedding + d;
    stream[d] = vec4f(
      weights[column + newest[0] * WIDTH],
      weights[column + newest[1] * WIDTH],
      weights[column + newest[2] * WIDTH],
      weights[column + newest[3] * WIDTH],
    );
  }
  for (var layer = 0u; layer < LAYERS; layer++) {
    let own = base + layer * sizes.layer;
    normalise(thread, own + sizes.attentionGain);
    project(thread, rows, layer, step);
    attend(thread, rows, layer, step);
    for (var d = thread; d < WIDTH; d += THREADS) {
      stream[d] += normedTimes(own + sizes.output + d, WIDTH);
    }
    normalise(thread, own + sizes.mlpGain);
    for (var n = thread; n < INNER; n += THREADS) {
      let gate = normedTimes(own + sizes.gate + n, INNER);
      wide[n] = gate / (1.0 + exp(-gate)) * normedTimes(own + sizes.up + n, INNER);
    }
    workgroupBarrier();
    for (var d = thread; d < WIDTH; d += THREADS) {
      stream[d] += innerTimes(own + sizes.down + d);
    }
  }
  normalise(thread, base + sizes.finalGain);
  for (var v = thread; v < VOCABULARY; v += THREADS) {
    wide[v] = normedTimes(base + sizes.head + v * sizes.headColumn, sizes.headRow);
  }
  workgroupBarrier();
}

fn readPromptLogits(thread: u32, rows: Rows) {
  let first = (rows.replica * sizes.prompts + rows.prompt / sizes.length) * VOCABULARY;
  for (var v = thread; v < VOCABULARY; v += THREADS) {
    let at = first + v;
    wide[v] = vec4f(promptLogits[at.x], promptLogits[at.y], promptLogits[at.z], promptLogits[at.w]);
  }
  workgroupBarrier();
}

// Draws token `position` of each row from the logits in `wide`.
fn draw(thread: u32, rows: Rows, position: u32) {
  for (var v = thread; v < VOCABULARY; v += THREADS) {
    var score = wide[v];
    if (sizes.isGreedy == 0u) {
      let counter = position * VOCABULARY + v;
      for (var r = 0u; r < 4u; r++) {
        score[r] += gumbel(rowData[rows.own[r]].xy, counter);
      }
    }
    scores[v] = score;
  }
  workgroupBarrier();
  if (thread < 4u) {
    let r = thread;
    var top = wide[0][r];
    var best = scores[0][r];
    var token = 0u;
    var isFinite = true;
    for (var v = 0u; v < VOCABULARY; v++) {
      let logit = wide[v][r];
      top = max(top, logit);
      // By bits: comparisons with NaN may be optimised away.
      isFinite = isFinite && (bitcast<u32>(logit) & 0x7f800000u) != 0x7f800000u;
      if (scores[v][r] > best) {
        best = scores[v][r];
        token = v;
      }
    }
    var total = 0.0;
    for (var v = 0u; v < VOCABULARY; v++) {
      total += exp(wide[v][r] - top);
    }
    var logprob = wide[token][r] - top - preciseLog(total);
    if (!isFinite) {
      logprob = NOT_FINITE;
    }
    newest[r] = token;
    if (!rows.isAbsent[r]) {
      draws[rows.own[r] * sizes.width + position] = vec2f(f32(token), logprob);
    }
  }
  workgroupBarrier();
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let rows = rowsOf(group.x, group.z);
  // Rows that only fill up have actions of no tokens.
  let first = sizes.first;
  let longest = max(max(rowData[rows.own.x].w, rowData[rows.own.y].w), max(rowData[rows.own.z].w, rowData[rows.own.w].w));
  let end = min(sizes.end, longest);
  if (first >= end) {
    return;
  }
  if (first > 0u && thread < 4u) {
    newest[thread] = u32(draws[rows.own[thread] * sizes.width + first - 1u].x);
  }
  workgroupBarrier();
  for (var position = first; position < end; position++) {
    if (position == 0u) {
      readPromptLogits(thread, rows);
    } else {
      forward(thread, rows, position - 1u);
    }
    draw(thread, rows, position);
  }
}
