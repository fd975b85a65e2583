// C[r] = A[r]ᵀ · B[r] for up to three B of one A, every operand row by row: 8 × 8 numbers of one product a thread, all in registers.
// 0: C = AᵀB, 1: C += AᵀB, 2: C = residual + AᵀB.
override MODE: u32;

struct Sizes {
  m: u32,
  n: u32, // of the widest item
  k: u32,
  count: u32, // items
  aReplica: u32, // elements start one replica to the next
  bReplica: u32,
  cReplica: u32,
  // Where A, B and C of an item begin, in elements, and its own N.
  items: array<vec4u, 3>,
}

@group(0) @binding(0) var<storage, read> a: array<vec4f>;
@group(0) @binding(1) var<storage, read> b: array<vec4f>;
@group(0) @binding(2) var<storage, read> residual: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> c: array<vec4f>;
@group(0) @binding(4) var<uniform> sizes: Sizes;

fn store(at: u32, sum: vec4f) {
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
  let item = sizes.items[id.z % sizes.count];
  let replica = id.z / sizes.count;
  // Widths and places in vec4.
  let width = item.w / 4u;
  let height = sizes.m / 4u;
  let row = id.y * 2u;
  let column = id.x * 2u;
  if (row >= height || column >= width) {
    return;
  }
  // Beyond the edge the last row or column is read again, and not stored.
  let other = min(column + 1u, width - 1u) - column;
  let below = min(row + 1u, height - 1u) - row;
  var start = (replica * sizes.aReplica + item.x) / 4u + row;
  var at = (replica * sizes.bReplica + item.y) / 4u + column;
  var s0: vec4f;
  var t0: vec4f;
  var s1: vec4f;
  var t1: vec4f;
  var s2: vec4f;
  var t2: vec4f;
  var s3: vec4f;
  var t3: vec4f;
  var s4: vec4f;
  var t4: vec4f;
  var s5: vec4f;
  var t5: vec4f;
  var s6: vec4f;
  var t6: vec4f;
  var s7: vec4f;
  var t7: vec4f;
  for (var k = 0u; k < sizes.k; k++) {
    let a0 = a[start];
    let a1 = a[start + below];
    let p = b[at];
    let q = b[at + other];
    start += height;
    at += width;
    s0 += a0.x * p;
    t0 += a0.x * q;
    s1 += a0.y * p;
    t1 += a0.y * q;
    s2 += a0.z * p;
    t2 += a0.z * q;
    s3 += a0.w * p;
    t3 += a0.w * q;
    s4 += a1.x * p;
    t4 += a1.x * q;
    s5 += a1.y * p;
    t5 += a1.y * q;
    s6 += a1.z * p;
    t6 += a1.z * q;
    s7 += a1.w * p;
    t7 += a1.w * q;
  }
  let out = (replica * sizes.cReplica + item.z) / 4u + column;
  let hasOther = other == 1u;
  if (row * 4u + 0u < sizes.m) {
    store(out + (row * 4u + 0u) * width, s0);
    if (hasOther) {
      store(out + (row * 4u + 0u) * width + 1u, t0);
    }
  }
  if (row * 4u + 1u < sizes.m) {
    store(out + (row * 4u + 1u) * width, s1);
    if (hasOther) {
      store(out + (row * 4u + 1u) * width + 1u, t1);
    }
  }
  if (row * 4u + 2u < sizes.m) {
    store(out + (row * 4u + 2u) * width, s2);
    if (hasOther) {
      store(out + (row * 4u + 2u) * width + 1u, t2);
    }
  }
  if (row * 4u + 3u < sizes.m) {
    store(out + (row * 4u + 3u) * width, s3);
    if (hasOther) {
      store(out + (row * 4u + 3u) * width + 1u, t3);
    }
  }
  if (row * 4u + 4u < sizes.m) {
    store(out + (row * 4u + 4u) * width, s4);
    if (hasOther) {
      store(out + (row * 4u + 4u) * width + 1u, t4);
    }
  }
  if (row * 4u + 5u < sizes.m) {
    store(out + (row * 4u + 5u) * width, s5);
    if (hasOther) {
      store(out + (row * 4u + 5u) * width + 1u, t5);
    }
  }
  if (row * 4u + 6u < sizes.m) {
    store(out + (row * 4u + 6u) * width, s6);
    if (hasOther) {
      store(out + (row * 4u + 6u) * width + 1u, t6);
    }
  }
  if (row * 4u + 7u < sizes.m) {
    store(out + (row * 4u + 7u) * width, s7);
    if (hasOther) {
      store(out + (row * 4u + 7u) * width + 1u, t7);
    }
  }
}
