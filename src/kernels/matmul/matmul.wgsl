// C[r] = op(A[r]) · op(B[r]), one replica per workgroup z. A tile of 32 × 32 per workgroup, 4 × 4 per thread.
override M: u32;
override N: u32;
override K: u32;
// Element strides: of the replica, of a row; and where the matrix starts.
override A_REPLICA: u32;
override A_OFFSET: u32;
override A_ROW: u32;
override B_REPLICA: u32;
override B_OFFSET: u32;
override B_ROW: u32;
override C_REPLICA: u32;
override C_OFFSET: u32;
// 1: the operand is stored transposed.
override A_TRANSPOSED: u32;
override B_TRANSPOSED: u32;
// 0: C = AB, 1: C += AB, 2: C = residual + AB.
override MODE: u32;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> residual: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

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
  let aBase = group.z * A_REPLICA + A_OFFSET;
  let bBase = group.z * B_REPLICA + B_OFFSET;
  let myRow = (thread / 8u) * 4u;
  let myColumn = (thread % 8u) * 4u;
  var sums: array<vec4f, 4>;
  for (var k0 = 0u; k0 < K; k0 += DEPTH) {
    for (var i = thread; i < 512u; i += 64u) {
      // Neighbouring threads read neighbouring numbers, whichever way the operand is stored.
      let aRow = select(i / DEPTH, i % TILE, A_TRANSPOSED == 1u);
      let aDepth = select(i % DEPTH, i / TILE, A_TRANSPOSED == 1u);
      let m = row0 + aRow;
      let ka = k0 + aDepth;
      var value = 0.0;
      if (m < M && ka < K) {
        value = a[aBase + select(m * A_ROW + ka, ka * A_ROW + m, A_TRANSPOSED == 1u)];
      }
      aTile[aDepth * TILE + aRow] = value;
      let bColumn = select(i % TILE, i / DEPTH, B_TRANSPOSED == 1u);
      let bDepth = select(i / TILE, i % DEPTH, B_TRANSPOSED == 1u);
      let n = column0 + bColumn;
      let kb = k0 + bDepth;
      value = 0.0;
      if (n < N && kb < K) {
        value = b[bBase + select(kb * B_ROW + n, n * B_ROW + kb, B_TRANSPOSED == 1u)];
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
      if (m < M && n < N) {
        let at = group.z * C_REPLICA + C_OFFSET + m * N + n;
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
