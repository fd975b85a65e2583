// out = gate·σ(gate)·up. Of each replica first all gates, then all ups.
struct Sizes {
  count: u32, // gates of a replica
}

@group(0) @binding(0) var<storage, read> gateUp: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < sizes.count; i += groups.x * 64u) {
    let at = id.z * 2u * sizes.count + i;
    let gate = gateUp[at];
    out[id.z * sizes.count + i] = gate / (1.0 + exp(-gate)) * gateUp[at + sizes.count];
  }
}
