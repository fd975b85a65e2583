// Gradients of gate and up from that of gate·σ(gate)·up; they take the places of gate and up.

struct Sizes {
  count: u32,
}

@group(0) @binding(0) var<storage, read> upstream: array<f32>;
@group(0) @binding(1) var<storage, read_write> gate: array<f32>;
@group(0) @binding(2) var<storage, read_write> up: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < sizes.count; i += groups.x * 64u) {
    let g = gate[i];
    let sigma = 1.0 / (1.0 + exp(-g));
    let slope = sigma * (1.0 + g * (1.0 - sigma));
    let dy = upstream[i];
    gate[i] = dy * up[i] * slope;
    up[i] = dy * g * sigma;
  }
}
