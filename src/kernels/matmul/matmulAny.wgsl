// C[r] = op(A[r]) · op(B[r]) for sizes and places that vec4 does not fit: 4 × 4 numbers a thread, read one by one.
// 0: C = AB, 1: C += AB, 2: C = residual + AB, 3: C holds gate and up activations, and AB is the gradient of their SwiGLU: they become
// their own gradients.
override MODE: u32;

struct Sizes {
  m: u32,
  n: u32,
  k: u32,
  aReplica: u32, // elements from one replica to the next, before the first, from row to row, and along a row
  aOffset: u32,
  aRow: u32,
  aColumn: u32,
  bReplica: u32,
  bOffset: u32,
  bRow: u32,
  bColumn: u32,
  cReplica: u32,
  cOffset: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> residual: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;
@group(0) @binding(4) var<uniform> sizes: Sizes;

fn store(row: u32, column: u32, replica: u32, sum: f32) {
  if (row >= sizes.m || column >= sizes.n) {
    return;
  }
  let at = replica * sizes.cReplica + sizes.cOffset + row * sizes.n + column;
  if (MODE == 3u) {
    let up = at + sizes.m * sizes.n;
    let g = c[at];
    let sigma = 1.0 / (1.0 + exp(-g));
    c[at] = sum * c[up] * sigma * (1.0 + g * (1.0 - sigma));
    c[up] = sum * g * sigma;
    return;
  }
  var value = sum;
  if (MODE == 1u) {
    value += c[at];
  }
  if (MODE == 2u) {
    value += residual[at];
  }
  c[at] = value;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let row = id.y * 4u;
  let column = id.x * 4u;
  if (row >= sizes.m || column >= sizes.n) {
    return;
  }
  // Beyond the edge the last row or column is read again, and not stored.
  let aBase = id.z * sizes.aReplica + sizes.aOffset;
  let bBase = id.z * sizes.bReplica + sizes.bOffset;
  let rows = aBase + min(vec4u(row, row + 1u, row + 2u, row + 3u), vec4u(sizes.m - 1u)) * sizes.aRow;
  let columns = bBase + min(vec4u(column, column + 1u, column + 2u, column + 3u), vec4u(sizes.n - 1u)) * sizes.bColumn;
  var s0: vec4f;
  var s1: vec4f;
  var s2: vec4f;
  var s3: vec4f;
  for (var k = 0u; k < sizes.k; k++) {
    let i = rows + k * sizes.aColumn;
    let j = columns + k * sizes.bRow;
    let right = vec4f(b[j.x], b[j.y], b[j.z], b[j.w]);
    s0 += a[i.x] * right;
    s1 += a[i.y] * right;
    s2 += a[i.z] * right;
    s3 += a[i.w] * right;
  }
  for (var n = 0u; n < 4u; n++) {
    store(row, column + n, id.z, s0[n]);
    store(row + 1u, column + n, id.z, s1[n]);
    store(row + 2u, column + n, id.z, s2[n]);
    store(row + 3u, column + n, id.z, s3[n]);
  }
}
