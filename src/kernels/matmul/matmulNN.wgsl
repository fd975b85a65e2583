// C[r] = A[r] · B[r] for up to three B of one A, every operand row by row: 8 × 8 numbers of one product a thread, all in registers.
// 0: C = AB, 1: C += AB, 2: C = residual + AB.
override MODE: u32;

struct Sizes {
  m: u32,
  n: u32, // of the widest item
  k: u32,
  count: u32, // items
  aReplica: u32, // elements from one replica to the next
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
  let depth = sizes.k / 4u;
  let row = id.y * 8u;
  let column = id.x * 2u;
  if (row >= sizes.m || column >= width) {
    return;
  }
  // Beyond the edge the last row or column is read again, and not stored.
  let other = min(column + 1u, width - 1u) - column;
  let aBase = (replica * sizes.aReplica + item.x) / 4u;
  let last = sizes.m - 1u;
  let r0 = aBase + min(row + 0u, last) * depth;
  let r1 = aBase + min(row + 1u, last) * depth;
  let r2 = aBase + min(row + 2u, last) * depth;
  let r3 = aBase + min(row + 3u, last) * depth;
  let r4 = aBase + min(row + 4u, last) * depth;
  let r5 = aBase + min(row + 5u, last) * depth;
  let r6 = aBase + min(row + 6u, last) * depth;
  let r7 = aBase + min(row + 7u, last) * depth;
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
  for (var k = 0u; k < depth; k++) {
    let a0 = a[r0 + k];
    let a1 = a[r1 + k];
    let a2 = a[r2 + k];
    let a3 = a[r3 + k];
    let a4 = a[r4 + k];
    let a5 = a[r5 + k];
    let a6 = a[r6 + k];
    let a7 = a[r7 + k];
    let p0 = b[at];
    let q0 = b[at + other];
    at += width;
    s0 += a0.x * p0;
    t0 += a0.x * q0;
    s1 += a1.x * p0;
    t1 += a1.x * q0;
    s2 += a2.x * p0;
    t2 += a2.x * q0;
    s3 += a3.x * p0;
    t3 += a3.x * q0;
    s4 += a4.x * p0;
    t4 += a4.x * q0;
    s5 += a5.x * p0;
    t5 += a5.x * q0;
    s6 += a6.x * p0;
    t6 += a6.x * q0;
    s7 += a7.x * p0;
    t7 += a7.x * q0;
    let p1 = b[at];
    let q1 = b[at + other];
    at += width;
    s0 += a0.y * p1;
    t0 += a0.y * q1;
    s1 += a1.y * p1;
    t1 += a1.y * q1;
    s2 += a2.y * p1;
    t2 += a2.y * q1;
    s3 += a3.y * p1;
    t3 += a3.y * q1;
    s4 += a4.y * p1;
    t4 += a4.y * q1;
    s5 += a5.y * p1;
    t5 += a5.y * q1;
    s6 += a6.y * p1;
    t6 += a6.y * q1;
    s7 += a7.y * p1;
    t7 += a7.y * q1;
    let p2 = b[at];
    let q2 = b[at + other];
    at += width;
    s0 += a0.z * p2;
    t0 += a0.z * q2;
    s1 += a1.z * p2;
    t1 += a1.z * q2;
    s2 += a2.z * p2;
    t2 += a2.z * q2;
    s3 += a3.z * p2;
    t3 += a3.z * q2;
    s4 += a4.z * p2;
    t4 += a4.z * q2;
    s5 += a5.z * p2;
    t5 += a5.z * q2;
    s6 += a6.z * p2;
    t6 += a6.z * q2;
    s7 += a7.z * p2;
    t7 += a7.z * q2;
    let p3 = b[at];
    let q3 = b[at + other];
    at += width;
    s0 += a0.w * p3;
    t0 += a0.w * q3;
    s1 += a1.w * p3;
    t1 += a1.w * q3;
    s2 += a2.w * p3;
    t2 += a2.w * q3;
    s3 += a3.w * p3;
    t3 += a3.w * q3;
    s4 += a4.w * p3;
    t4 += a4.w * q3;
    s5 += a5.w * p3;
    t5 += a5.w * q3;
    s6 += a6.w * p3;
    t6 += a6.w * q3;
    s7 += a7.w * p3;
    t7 += a7.w * q3;
  }
  let out = (replica * sizes.cReplica + item.z) / 4u + column;
  let hasOther = other == 1u;
  if (row + 0u < sizes.m) {
    store(out + (row + 0u) * width, s0);
    if (hasOther) {
      store(out + (row + 0u) * width + 1u, t0);
    }
  }
  if (row + 1u < sizes.m) {
    store(out + (row + 1u) * width, s1);
    if (hasOther) {
      store(out + (row + 1u) * width + 1u, t1);
    }
  }
  if (row + 2u < sizes.m) {
    store(out + (row + 2u) * width, s2);
    if (hasOther) {
      store(out + (row + 2u) * width + 1u, t2);
    }
  }
  if (row + 3u < sizes.m) {
    store(out + (row + 3u) * width, s3);
    if (hasOther) {
      store(out + (row + 3u) * width + 1u, t3);
    }
  }
  if (row + 4u < sizes.m) {
    store(out + (row + 4u) * width, s4);
    if (hasOther) {
      store(out + (row + 4u) * width + 1u, t4);
    }
  }
  if (row + 5u < sizes.m) {
    store(out + (row + 5u) * width, s5);
    if (hasOther) {
      store(out + (row + 5u) * width + 1u, t5);
    }
  }
  if (row + 6u < sizes.m) {
    store(out + (row + 6u) * width, s6);
    if (hasOther) {
      store(out + (row + 6u) * width + 1u, t6);
    }
  }
  if (row + 7u < sizes.m) {
    store(out + (row + 7u) * width, s7);
    if (hasOther) {
      store(out + (row + 7u) * width + 1u, t7);
    }
  }
}
