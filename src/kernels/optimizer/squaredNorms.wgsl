// squares[r] = Σ gradient[r]², one workgroup per replica; the same order of sums on every device.
override COUNT: u32;

@group(0) @binding(0) var<storage, read> gradient: array<f32>;
@group(0) @binding(1) var<storage, read_write> squares: array<f32>;

var<workgroup> parts: array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  var sum = 0.0;
  for (var i = thread; i < COUNT; i += 256u) {
    let value = gradient[group.z * COUNT + i];
    sum += value * value;
  }
  parts[thread] = sum;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (thread < half) {
      parts[thread] += parts[thread + half];
    }
    workgroupBarrier();
  }
  if (thread == 0u) {
    squares[group.z] = parts[0];
  }
}
