// Partial sums over each replica's parameters of p·p, p·(w − p) and (w − p)·(w − p): the norm of a part p of a gradient w, and its
// angle with the rest. GROUPS workgroups a replica; the same order of sums on every device.
override COUNT: u32;
override GROUPS: u32;

@group(0) @binding(0) var<storage, read> part: array<f32>;
@group(0) @binding(1) var<storage, read> whole: array<f32>;
// [R, GROUPS, 3]
@group(0) @binding(2) var<storage, read_write> products: array<f32>;

var<workgroup> sums: array<vec3f, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  var sum = vec3f(0.0);
  let first = group.z * COUNT;
  for (var i = group.x * 256u + thread; i < COUNT; i += GROUPS * 256u) {
    let own = part[first + i];
    let rest = whole[first + i] - own;
    sum += vec3f(own * own, own * rest, rest * rest);
  }
  sums[thread] = sum;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (thread < half) {
      sums[thread] += sums[thread + half];
    }
    workgroupBarrier();
  }
  if (thread == 0u) {
    let at = 3u * (group.z * GROUPS + group.x);
    products[at] = sums[0].x;
    products[at + 1u] = sums[0].y;
    products[at + 2u] = sums[0].z;
  }
}
