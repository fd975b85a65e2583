/**
 * Heights for labels that want to stand at `wanted` (px, any order) but need `spacing` px between each other, inside
 * [top, bottom]. Crowded neighbours move apart around their common middle; the order of heights is kept. If there are
 * more labels than room, they overlap at the bottom rather than leave the plot. Returns one height per label.
 */
export function spreadLabels(
  wanted: readonly number[],
  spacing: number,
  [top, bottom]: readonly [number, number],
): number[] {
  interface Cluster {
    members: number[];
    /** Height of its first member. */
    start: number;
  }
  const order = [...wanted.keys()].toSorted((a, b) => wanted[a]! - wanted[b]!);
  const place = (members: number[]): Cluster => {
    const length = (members.length - 1) * spacing;
    const middle = members.reduce((sum, index) => sum + wanted[index]! / members.length, 0);
    const start = Math.max(top, Math.min(bottom - length, middle - length / 2));
    return { members, start };
  };
  const clusters: Cluster[] = [];
  for (const index of order) {
    let cluster = place([index]);
    // A cluster that grows may run into the one above it.
    for (let above = clusters.at(-1); above && overlaps(above, cluster); above = clusters.at(-1)) {
      clusters.pop();
      cluster = place([...above.members, ...cluster.members]);
    }
    clusters.push(cluster);
  }
  function overlaps(above: Cluster, below: Cluster): boolean {
    return above.start + above.members.length * spacing > below.start;
  }
  const heights = wanted.map(() => top);
  for (const { members, start } of clusters)
    for (const [rank, index] of members.entries())
      heights[index] = Math.min(bottom, start + rank * spacing);
  return heights;
}
