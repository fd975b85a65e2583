// A replica's statistics: sums over its turns, and its mean entropy as the last. One statistic per thread.
override TURNS: u32;
override SITES: u32;
override STATS: u32; // of a turn

@group(0) @binding(0) var<storage, read> stats: array<f32>;
@group(0) @binding(1) var<storage, read> sites: array<vec2f>;
@group(0) @binding(2) var<storage, read> shares: array<f32>;
@group(0) @binding(3) var<storage, read_write> summary: array<f32>;

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) stat: u32) {
  var sum = 0.0;
  if (stat < STATS) {
    for (var turn = 0u; turn < TURNS; turn++) {
      sum += stats[(group.z * TURNS + turn) * STATS + stat];
    }
  } else {
    for (var site = 0u; site < SITES; site++) {
      let at = group.z * SITES + site;
      sum += shares[at] * sites[at].y;
    }
  }
  summary[group.z * (STATS + 1u) + stat] = sum;
}
