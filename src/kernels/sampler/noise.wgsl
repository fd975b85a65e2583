// The counter-based noise of `rl/rng`, for kernels that draw tokens: goes before their own source.
const PARITY = 0x1bd11bdau;
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

// (top 23 bits + ½) / 2²³: exact.
fn uniformNoise(key: vec2u, counter: u32) -> f32 {
  return (f32(threefry(key, vec2u(1u, counter)) >> 9u) + 0.5) / 8388608.0;
}

// −log(−log u)
fn gumbel(key: vec2u, counter: u32) -> f32 {
  return -preciseLog(-preciseLog(uniformNoise(key, counter)));
}
