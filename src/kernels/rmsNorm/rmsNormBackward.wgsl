// The way back in one dispatch. The first workgroups: one row of x per thread, gradient = inverse·(g·dy) − x·inverse³·mean(x·g·dy).
// The rest: four columns of the gain a workgroup, gain gradient = Σ dy·x·inverse over the rows, in a fixed order.
override WIDTH: u32; // a multiple of 4
// 1: only the rows that `taken` names came in, and `siteOfRow` says where each row of x went (PLACES or more: nowhere, no gradient).
override TAKE: u32;
// 1: added to what `gradient` holds.
override ADD: u32;

struct Sizes {
  rows: u32, // of x, of a replica
  outRows: u32, // of upstream and inverse
  gainReplica: u32, // elements from one replica to the next
  gainOffset: u32,
  rowGroups: u32, // workgroups for the rows of x
}

@group(0) @binding(0) var<storage, read> x: array<vec4f>;
@group(0) @binding(1) var<storage, read> gain: array<f32>;
@group(0) @binding(2) var<storage, read> inverse: array<f32>;
@group(0) @binding(3) var<storage, read> upstream: array<vec4f>;
@group(0) @binding(4) var<storage, read> taken: array<i32>;
@group(0) @binding(5) var<storage, read> siteOfRow: array<i32>;
@group(0) @binding(6) var<storage, read_write> gradient: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> gainGradient: array<f32>;
@group(0) @binding(8) var<uniform> sizes: Sizes;

var<workgroup> sums: array<vec4f, 64>;

fn gainOf(replica: u32, i: u32) -> vec4f {
  let at = replica * sizes.gainReplica + sizes.gainOffset + 4u * i;
  return vec4f(gain[at], gain[at + 1u], gain[at + 2u], gain[at + 3u]);
}

fn rowGradient(replica: u32, row: u32) {
  let width = WIDTH / 4u;
  let at = (replica * sizes.rows + row) * width;
  var site = row;
  if (TAKE == 1u) {
    site = u32(siteOfRow[replica * sizes.rows + row]);
    if (site >= sizes.outRows) {
      for (var i = 0u; i < width; i++) {
        gradient[at + i] = vec4f(0.0);
      }
      return;
    }
  }
  let outRow = replica * sizes.outRows + site;
  var pulls = vec4f(0.0);
  for (var i = 0u; i < width; i++) {
    pulls += x[at + i] * gainOf(replica, i) * upstream[outRow * width + i];
  }
  let scale = inverse[outRow];
  let pull = scale * scale * scale * (pulls.x + pulls.y + pulls.z + pulls.w) / f32(WIDTH);
  for (var i = 0u; i < width; i++) {
    let value = scale * gainOf(replica, i) * upstream[outRow * width + i] - x[at + i] * pull;
    if (ADD == 1u) {
      gradient[at + i] += value;
    } else {
      gradient[at + i] = value;
    }
  }
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  if (group.x < sizes.rowGroups) {
    let row = group.x * 64u + thread;
    if (row < sizes.rows) {
      rowGradient(group.z, row);
    }
    return;
  }
  let width = WIDTH / 4u;
  let column = group.x - sizes.rowGroups;
  var sum = vec4f(0.0);
  for (var i = thread; i < sizes.outRows; i += 64u) {
    let outRow = group.z * sizes.outRows + i;
    var row = outRow;
    if (TAKE == 1u) {
      row = group.z * sizes.rows + u32(taken[outRow]);
    }
    sum += upstream[outRow * width + column] * x[row * width + column] * inverse[outRow];
  }
  sums[thread] = sum;
  // One barrier and a short loop: a tree of barriers costs more than it saves.
  workgroupBarrier();
  if (thread == 0u) {
    for (var other = 1u; other < 64u; other++) {
      sum += sums[other];
    }
    let at = group.z * sizes.gainReplica + sizes.gainOffset + 4u * column;
    gainGradient[at] = sum.x;
    gainGradient[at + 1u] = sum.y;
    gainGradient[at + 2u] = sum.z;
    gainGradient[at + 3u] = sum.w;
  }
}
