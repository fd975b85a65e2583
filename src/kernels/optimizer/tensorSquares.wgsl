// Sum of squares over each parameter tensor of each replica's gradient. One workgroup a tensor; the same order of sums on every device.
override COUNT: u32;

// [R, COUNT]
@group(0) @binding(0) var<storage, read> gradient: array<f32>;
// [tensors + 1] where each tensor begins in a replica's numbers.
@group(0) @binding(1) var<storage, read> starts: array<u32>;
// [R, tensors]
@group(0) @binding(2) var<storage, read_write> squares: array<f32>;

var<workgroup> sums: array<f32, 64>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  var sum = 0.0;
  let first = group.z * COUNT;
  for (var i = starts[group.x] + thread; i < starts[group.x + 1u]; i += 64u) {
    let slope = gradient[first + i];
    sum += slope * slope;
  }
  sums[thread] = sum;
  workgroupBarrier();
  if (thread == 0u) {
    for (var other = 1u; other < 64u; other++) {
      sum += sums[other];
    }
    squares[group.z * groups.x + group.x] = sum;
  }
}
