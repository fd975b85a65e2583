// dots[r] = Σ a[r]·b[r], one workgroup per replica; the same order of sums on every device.
override COUNT: u32;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> dots: array<f32>;

var<workgroup> parts: array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  var sum = 0.0;
  for (var i = thread; i < COUNT; i += 256u) {
    sum += a[group.z * COUNT + i] * b[group.z * COUNT + i];
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
    dots[group.z] = parts[0];
  }
}
