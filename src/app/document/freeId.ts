import type { CellKind } from '../../notebook/cells';
import type { Notebook } from '../../notebook/notebook';

/** A short name for a new cell, such as `chart2`: the first that neither a cell nor a deleted experiment has. */
export function freeId({ cells, deletedExperiments }: Notebook, kind: CellKind): string {
  const taken = new Set([...cells, ...deletedExperiments].map(({ id }) => id));
  for (let number = 1; ; number++) {
    const id = `${kind}${number}`;
    if (!taken.has(id)) return id;
  }
}
