// Partial sums over each replica's parameters of p·p, p·q and q·q of two parts of a gradient: their norms and their angle.
// GROUPS workgroups a replica; the same order of sums on every device.
override COUNT: u32;
override GROUPS: u32;

@group(0) @binding(0) var<storage, read> p: array<f32>;
@group(0) @binding(1) var<storage, read> q: array<f32>;
// [R, GROUPS, 3]
@group(0) @binding(2) var<storage, read_write> products: array<f32>;

var<workgroup> sums: array<vec3f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  var sum = vec3f(0.0);
  let first = group.z * COUNT;
  for (var i = group.x * 64u + thread; i < COUNT; i += GROUPS * 64u) {
    let a = p[first + i];
    let b = q[first + i];
    sum += vec3f(a * a, a * b, b * b);
  }
  sums[thread] = sum;
  // One barrier and a short loop: a tree of barriers costs more than it saves.
  workgroupBarrier();
  if (thread == 0u) {
    for (var other = 1u; other < 64u; other++) {
      sum += sums[other];
    }
    let at = 3u * (group.z * GROUPS + group.x);
    products[at] = sum.x;
    products[at + 1u] = sum.y;
    products[at + 2u] = sum.z;
  }
}
