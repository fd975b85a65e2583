// Uniform and Gumbel noise of each key at its counter, side by side. After noise.wgsl.
@group(0) @binding(0) var<storage, read> keys: array<vec2u>;
@group(0) @binding(1) var<storage, read> counters: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<vec2f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&counters)) {
    out[id.x] = vec2f(uniformNoise(keys[id.x], counters[id.x]), gumbel(keys[id.x], counters[id.x]));
  }
}
