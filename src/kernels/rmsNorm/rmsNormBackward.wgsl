// gradient = inverse·(g·dy) − x·inverse³·mean(x·g·dy); with ADD = 1 added to what the residual stream brings.
override WIDTH: u32;
override ADD: u32;

struct Sizes {
  rows: u32, // of a replica
  gainReplica: u32, // from one replica to the next
  gainOffset: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> gain: array<f32>;
@group(0) @binding(2) var<storage, read> inverse: array<f32>;
@group(0) @binding(3) var<storage, read> upstream: array<f32>;
@group(0) @binding(4) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(5) var<uniform> sizes: Sizes;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.rows) {
    return;
  }
  let row = id.z * sizes.rows + id.x;
  let gains = id.z * sizes.gainReplica + sizes.gainOffset;
  var dot = 0.0;
  for (var i = 0u; i < WIDTH; i++) {
    dot += x[row * WIDTH + i] * gain[gains + i] * upstream[row * WIDTH + i];
  }
  let scale = inverse[row];
  let pull = scale * scale * scale * dot / f32(WIDTH);
  for (var i = 0u; i < WIDTH; i++) {
    let at = row * WIDTH + i;
    let value = scale * gain[gains + i] * upstream[at] - x[at] * pull;
    gradient[at] = select(value, gradient[at] + value, ADD == 1u);
  }
}
