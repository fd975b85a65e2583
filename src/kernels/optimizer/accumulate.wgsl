// total = part, or total += part, number by number over all replicas.
override COUNT: u32;
override ADD: u32;

@group(0) @binding(0) var<storage, read> part: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < COUNT; i += groups.x * 64u) {
    total[i] = select(part[i], total[i] + part[i], ADD == 1u);
  }
}
