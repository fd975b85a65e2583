/** A partition of S steps into groups numbered from 0 without gaps, in order of first appearance. */
export interface GroupIndices {
  /** [S] the step's group, 0 … numGroups − 1. */
  readonly indices: Int32Array;
  readonly numGroups: number;
}

/** Widest table relative to the number of steps: beyond it a Map costs less memory than an array. */
const tableSlack = 4;

/** Groups steps with equal ids. `ids` are whole numbers of any size and sign. O(S). */
export function groupIndices(ids: Int32Array | Float64Array): GroupIndices {
  let least = Infinity;
  let largest = -Infinity;
  for (const id of ids) {
    if (id < least) least = id;
    if (id > largest) largest = id;
  }
  const width = largest - least + 1;
  return width <= tableSlack * ids.length + 1024
    ? indicesByTable(ids, least, width)
    : indicesByMap(ids);
}

/** Groups steps that agree in both partitions, such as task and agent. O(S). */
export function pairIndices(first: GroupIndices, second: GroupIndices): GroupIndices {
  // Float64 holds the product of two counts exactly, where Int32 would wrap.
  const ids = new Float64Array(first.indices.length);
  for (let step = 0; step < ids.length; step++)
    ids[step] = first.indices[step]! * second.numGroups + second.indices[step]!;
  return groupIndices(ids);
}

function indicesByTable(
  ids: Int32Array | Float64Array,
  least: number,
  width: number,
): GroupIndices {
  const indices = new Int32Array(ids.length);
  /** Group + 1, so that a fresh table reads as "not seen". */
  const table = new Int32Array(ids.length === 0 ? 0 : width);
  let numGroups = 0;
  for (let step = 0; step < ids.length; step++) {
    const slot = ids[step]! - least;
    if (table[slot] === 0) table[slot] = ++numGroups;
    indices[step] = table[slot]! - 1;
  }
  return { indices, numGroups };
}

function indicesByMap(ids: Int32Array | Float64Array): GroupIndices {
  const indices = new Int32Array(ids.length);
  const seen = new Map<number, number>();
  for (let step = 0; step < ids.length; step++) {
    const id = ids[step]!;
    let index = seen.get(id);
    if (index === undefined) {
      index = seen.size;
      seen.set(id, index);
    }
    indices[step] = index;
  }
  return { indices, numGroups: seen.size };
}
