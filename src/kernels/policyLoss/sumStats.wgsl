// A replica's statistics: sums over its turns, and its mean entropy as the last. One statistic per thread.
override STATS: u32; // of a turn

struct Sizes {
  turns: u32,
  sites: u32,
}

@group(0) @binding(0) var<storage, read> stats: array<f32>;
@group(0) @binding(1) var<storage, read> sites: array<vec2f>;
@group(0) @binding(2) var<storage, read> shares: array<f32>;
@group(0) @binding(3) var<storage, read_write> summary: array<f32>;
@group(0) @binding(4) var<uniform> sizes: Sizes;

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) stat: u32) {
  var sum = 0.0;
  if (stat < STATS) {
    for (var turn = 0u; turn < sizes.turns; turn++) {
      sum += stats[(group.z * sizes.turns + turn) * STATS + stat];
    }
  } else {
    for (var site = 0u; site < sizes.sites; site++) {
      let at = group.z * sizes.sites + site;
      sum += shares[at] * sites[at].y;
    }
  }
  summary[group.z * (STATS + 1u) + stat] = sum;
}
