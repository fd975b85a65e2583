// gradient = inverse·(g·dy) − x·inverse³·mean(x·g·dy); with ADD = 1 added to what the residual stream brings.
override ROWS: u32;
override WIDTH: u32;
override GAIN_REPLICA: u32;
override GAIN_OFFSET: u32;
override ADD: u32;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> gain: array<f32>;
@group(0) @binding(2) var<storage, read> inverse: array<f32>;
@group(0) @binding(3) var<storage, read> upstream: array<f32>;
@group(0) @binding(4) var<storage, read_write> gradient: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= ROWS) {
    return;
  }
  let row = id.z * ROWS + id.x;
  let gains = id.z * GAIN_REPLICA + GAIN_OFFSET;
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
