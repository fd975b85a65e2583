// PyTorch's AdamW, or SGD with momentum, on every parameter of every replica, in place.
override COUNT: u32;

struct Hyper {
  learningRate: f32,
  beta1: f32,
  beta2: f32,
  epsilon: f32,
  weightDecay: f32,
  maxGradNorm: f32,
  kind: f32,
  isActive: f32,
}

@group(0) @binding(0) var<storage, read> hypers: array<Hyper>;
@group(0) @binding(1) var<storage, read> progress: array<vec4f>;
@group(0) @binding(2) var<storage, read> factors: array<vec2f>;
@group(0) @binding(3) var<storage, read> gradient: array<f32>;
@group(0) @binding(4) var<storage, read_write> weights: array<f32>;
@group(0) @binding(5) var<storage, read_write> moments1: array<f32>;
@group(0) @binding(6) var<storage, read_write> moments2: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let factor = factors[id.z];
  if (id.x >= COUNT || factor.y == 0.0) {
    return;
  }
  let hyper = hypers[id.z];
  let at = id.z * COUNT + id.x;
  let slope = gradient[at] * factor.x;
  if (hyper.kind == 1.0) {
    let velocity = hyper.beta1 * moments1[at] + slope;
    moments1[at] = velocity;
    weights[at] -= hyper.learningRate * velocity;
    return;
  }
  let first = hyper.beta1 * moments1[at] + (1.0 - hyper.beta1) * slope;
  let second = hyper.beta2 * moments2[at] + (1.0 - hyper.beta2) * slope * slope;
  moments1[at] = first;
  moments2[at] = second;
  let correction = progress[id.z];
  let direction = first / correction.x / (sqrt(second / correction.y) + hyper.epsilon);
  weights[at] = weights[at] * (1.0 - hyper.learningRate * hyper.weightDecay) - hyper.learningRate * direction;
}
