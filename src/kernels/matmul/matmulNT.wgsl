// C[r] = Σ A[r] · B[r]ᵀ over up to three pairs, every operand row by row: 8 × 8 numbers of the result a thread, all in registers.
// 0: C = ABᵀ, 1: C += ABᵀ, 2: C = residual + ABᵀ, 3: C holds gate and up activations, and ABᵀ is the gradient of their SwiGLU:
// they become their own gradients.
override MODE: u32;

struct Sizes {
  m: u32,
  n: u32, // of the widest item
  k: u32,
  count: u32, // items
  aReplica: u32, // elements from one replica to the next
  bReplica: u32,
  cReplica: u32,
  // Where A, B and C of an item begin, in elements, and its own K.
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

// Slope of g·σ(g)·u by g and by u, times dy.
fn storeSwiglu(at: u32, dy: vec4f, up: u32) {
  let g = c[at];
  let sigma = 1.0 / (1.0 + exp(-g));
  c[at] = dy * c[at + up] * sigma * (1.0 + g * (1.0 - sigma));
  c[at + up] = dy * g * sigma;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  // Widths and places in vec4.
  let width = sizes.n / 4u;
  let row = id.y * 8u;
  let column = id.x * 2u;
  if (row >= sizes.m || column >= width) {
    return;
  }
  let last = sizes.m - 1u;
  let lastColumn = sizes.n - 1u;
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
  for (var i = 0u; i < sizes.count; i++) {
    let item = sizes.items[i];
    let depth = item.w / 4u;
    let aBase = (id.z * sizes.aReplica + item.x) / 4u;
    let bBase = (id.z * sizes.bReplica + item.y) / 4u;
    // Beyond the edge the last row or column is read again, and not stored.
    let r0 = aBase + min(row + 0u, last) * depth;
    let r1 = aBase + min(row + 1u, last) * depth;
    let r2 = aBase + min(row + 2u, last) * depth;
    let r3 = aBase + min(row + 3u, last) * depth;
    let r4 = aBase + min(row + 4u, last) * depth;
    let r5 = aBase + min(row + 5u, last) * depth;
    let r6 = aBase + min(row + 6u, last) * depth;
    let r7 = aBase + min(row + 7u, last) * depth;
    let c0 = bBase + min(column * 4u + 0u, lastColumn) * depth;
    let c1 = bBase + min(column * 4u + 1u, lastColumn) * depth;
    let c2 = bBase + min(column * 4u + 2u, lastColumn) * depth;
    let c3 = bBase + min(column * 4u + 3u, lastColumn) * depth;
    let c4 = bBase + min(column * 4u + 4u, lastColumn) * depth;
    let c5 = bBase + min(column * 4u + 5u, lastColumn) * depth;
    let c6 = bBase + min(column * 4u + 6u, lastColumn) * depth;
    let c7 = bBase + min(column * 4u + 7u, lastColumn) * depth;
    for (var k = 0u; k < depth; k++) {
      let b0 = b[c0 + k];
      let b1 = b[c1 + k];
      let b2 = b[c2 + k];
      let b3 = b[c3 + k];
      let b4 = b[c4 + k];
      let b5 = b[c5 + k];
      let b6 = b[c6 + k];
      let b7 = b[c7 + k];
      let a0 = a[r0 + k];
      s0 += vec4f(dot(a0, b0), dot(a0, b1), dot(a0, b2), dot(a0, b3));
      t0 += vec4f(dot(a0, b4), dot(a0, b5), dot(a0, b6), dot(a0, b7));
      let a1 = a[r1 + k];
      s1 += vec4f(dot(a1, b0), dot(a1, b1), dot(a1, b2), dot(a1, b3));
      t1 += vec4f(dot(a1, b4), dot(a1, b5), dot(a1, b6), dot(a1, b7));
      let a2 = a[r2 + k];
      s2 += vec4f(dot(a2, b0), dot(a2, b1), dot(a2, b2), dot(a2, b3));
      t2 += vec4f(dot(a2, b4), dot(a2, b5), dot(a2, b6), dot(a2, b7));
      let a3 = a[r3 + k];
      s3 += vec4f(dot(a3, b0), dot(a3, b1), dot(a3, b2), dot(a3, b3));
      t3 += vec4f(dot(a3, b4), dot(a3, b5), dot(a3, b6), dot(a3, b7));
      let a4 = a[r4 + k];
      s4 += vec4f(dot(a4, b0), dot(a4, b1), dot(a4, b2), dot(a4, b3));
      t4 += vec4f(dot(a4, b4), dot(a4, b5), dot(a4, b6), dot(a4, b7));
      let a5 = a[r5 + k];
      s5 += vec4f(dot(a5, b0), dot(a5, b1), dot(a5, b2), dot(a5, b3));
      t5 += vec4f(dot(a5, b4), dot(a5, b5), dot(a5, b6), dot(a5, b7));
      let a6 = a[r6 + k];
      s6 += vec4f(dot(a6, b0), dot(a6, b1), dot(a6, b2), dot(a6, b3));
      t6 += vec4f(dot(a6, b4), dot(a6, b5), dot(a6, b6), dot(a6, b7));
      let a7 = a[r7 + k];
      s7 += vec4f(dot(a7, b0), dot(a7, b1), dot(a7, b2), dot(a7, b3));
      t7 += vec4f(dot(a7, b4), dot(a7, b5), dot(a7, b6), dot(a7, b7));
    }
  }
  let out = (id.z * sizes.cReplica + sizes.items[0].z) / 4u + column;
  let hasOther = column + 1u < width;
  let up = sizes.m * width;
  if (row + 0u < sizes.m) {
    let at = out + (row + 0u) * width;
    if (MODE == 3u) {
      storeSwiglu(at, s0, up);
      if (hasOther) {
        storeSwiglu(at + 1u, t0, up);
      }
    } else {
      store(at, s0);
      if (hasOther) {
        store(at + 1u, t0);
      }
    }
  }
  if (row + 1u < sizes.m) {
    let at = out + (row + 1u) * width;
    if (MODE == 3u) {
      storeSwiglu(at, s1, up);
      if (hasOther) {
        storeSwiglu(at + 1u, t1, up);
      }
    } else {
      store(at, s1);
      if (hasOther) {
        store(at + 1u, t1);
      }
    }
  }
  if (row + 2u < sizes.m) {
    let at = out + (row + 2u) * width;
    if (MODE == 3u) {
      storeSwiglu(at, s2, up);
      if (hasOther) {
        storeSwiglu(at + 1u, t2, up);
      }
    } else {
      store(at, s2);
      if (hasOther) {
        store(at + 1u, t2);
      }
    }
  }
  if (row + 3u < sizes.m) {
    let at = out + (row + 3u) * width;
    if (MODE == 3u) {
      storeSwiglu(at, s3, up);
      if (hasOther) {
        storeSwiglu(at + 1u, t3, up);
      }
    } else {
      store(at, s3);
      if (hasOther) {
        store(at + 1u, t3);
      }
    }
  }
  if (row + 4u < sizes.m) {
    let at = out + (row + 4u) * width;
    if (MODE == 3u) {
      storeSwiglu(at, s4, up);
      if (hasOther) {
        storeSwiglu(at + 1u, t4, up);
      }
    } else {
      store(at, s4);
      if (hasOther) {
        store(at + 1u, t4);
      }
    }
  }
  if (row + 5u < sizes.m) {
    let at = out + (row + 5u) * width;
    if (MODE == 3u) {
      storeSwiglu(at, s5, up);
      if (hasOther) {
        storeSwiglu(at + 1u, t5, up);
      }
    } else {
      store(at, s5);
      if (hasOther) {
        store(at + 1u, t5);
      }
    }
  }
  if (row + 6u < sizes.m) {
    let at = out + (row + 6u) * width;
    if (MODE == 3u) {
      storeSwiglu(at, s6, up);
      if (hasOther) {
        storeSwiglu(at + 1u, t6, up);
      }
    } else {
      store(at, s6);
      if (hasOther) {
        store(at + 1u, t6);
      }
    }
  }
  if (row + 7u < sizes.m) {
    let at = out + (row + 7u) * width;
    if (MODE == 3u) {
      storeSwiglu(at, s7, up);
      if (hasOther) {
        storeSwiglu(at + 1u, t7, up);
      }
    } else {
      store(at, s7);
      if (hasOther) {
        store(at + 1u, t7);
      }
    }
  }
}
