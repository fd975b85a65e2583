/** What is of one iteration together, in the order in which the iterations first come. */
export function byIteration<T extends { readonly iteration: number }>(
  all: readonly T[],
): ReadonlyMap<number, readonly T[]> {
  const groups = new Map<number, T[]>();
  for (const one of all) {
    const group = groups.get(one.iteration);
    if (group === undefined) groups.set(one.iteration, [one]);
    else group.push(one);
  }
  return groups;
}
