// out = gate·σ(gate)·up, cell by cell over all replicas.

struct Sizes {
  count: u32,
}

@group(0) @binding(0) var<storage, read> gate: array<f32>;
@group(0) @binding(1) var<storage, read> up: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < sizes.count; i += groups.x * 64u) {
    out[i] = gate[i] / (1.0 + exp(-gate[i])) * up[i];
  }
}
