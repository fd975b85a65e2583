// C[r] = op(A[r]) · op(B[r]), one replica per workgroup z. A tile of 32 × 32 per workgroup, 4 × 4 per thread.
// Element strides: of the replica, of a row; and where the matrix starts.
// 1: the operand is stored transposed.
override A_TRANSPOSED: u32;
override B_TRANSPOSED: u32;
// 0: C = AB, 1: C += AB, 2: C = residual + AB.
override MODE: u32;

struct Sizes {
  m: u32,
  n: u32,
  k: u32,
  aReplica: u32, // elements from one replica to the next, from row to row, and before the first
  aOffset: u32,
  aRow: u32,
  bReplica: u32,
  bOffset: u32,
  bRow: u32,
  cReplica: u32,
  cOffset: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> residual: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;
@group(0) @binding(4) var<uniform> sizes: Sizes;

const TILE = 32u;
const DEPTH = 16u;
var<workgroup> aTile: array<f32, 512>;
var<workgroup> bTile: array<f32, 512>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let row0 = group.y * TILE;
  let column0 = group.x * TILE;
  let aBase = group.z * sizes.aReplica + sizes.aOffset;
  let bBase = group.z * sizes.bReplica + sizes.bOffset;
  let myRow = (thread / 8u) * 4u;
  let myColumn = (thread % 8u) * 4u;
  var sums: array<vec4f, 4>;
  for (var k0 = 0u; k0 < sizes.k; k0 += DEPTH) {
    for (var i = thread; i < 512u; i += 64u) {
      // Neighbouring threads read neighbouring numbers, whichever way the operand is stored.
      let aRow = select(i / DEPTH, i % TILE, A_TRANSPOSED == 1u);
      let aDepth = select(i % DEPTH, i / TILE, A_TRANSPOSED == 1u);
      let m = row0 + aRow;
      let ka = k0 + aDepth;
      var value = 0.0;
      if (m < sizes.m && ka < sizes.k) {
        value = a[aBase + select(m * sizes.aRow + ka, ka * sizes.aRow + m, A_TRANSPOSED == 1u)];
      }
      aTile[aDepth * TILE + aRow] = value;
      let bColumn = select(i % TILE, i / DEPTH, B_TRANSPOSED == 1u);
      let bDepth = select(i / TILE, i % DEPTH, B_TRANSPOSED == 1u);
      let n = column0 + bColumn;
      let kb = k0 + bDepth;
      value = 0.0;
      if (n < sizes.n && kb < sizes.k) {
        value = b[bBase + select(kb * sizes.bRow + n, n * sizes.bRow + kb, B_TRANSPOSED == 1u)];
      }
      bTile[bDepth * TILE + bColumn] = value;
    }
    workgroupBarrier();
    for (var k = 0u; k < DEPTH; k++) {
      let at = k * TILE + myColumn;
      let right = vec4f(bTile[at], bTile[at + 1u], bTile[at + 2u], bTile[at + 3u]);
      for (var i = 0u; i < 4u; i++) {
        sums[i] += aTile[k * TILE + myRow + i] * right;
      }
    }
    workgroupBarrier();
  }
  for (var i = 0u; i < 4u; i++) {
    for (var j = 0u; j < 4u; j++) {
      let m = row0 + myRow + i;
      let n = column0 + myColumn + j;
      if (m < sizes.m && n < sizes.n) {
        let at = group.z * sizes.cReplica + sizes.cOffset + m * sizes.n + n;
        var value = sums[i][j];
        if (MODE == 1u) {
          value += c[at];
        }
        if (MODE == 2u) {
          value += residual[at];
        }
        c[at] = value;
      }
    }
  }
}
