import type { ExperimentSpec } from '../../config/experimentSpec';
import type { Notebook } from '../../notebook/notebook';
import { staleCells, type StaleCells } from '../../notebook/staleness';

export type { StaleCells };

interface Known {
  readonly notebook: Notebook;
  readonly specs: ReadonlyMap<string, ExperimentSpec>;
  readonly stale: StaleCells;
}

let known: Known | null = null;

/** `staleCells`, worked out once for all cells that ask with the same notebook and runs. */
export function staleCellsOf(
  notebook: Notebook,
  specs: ReadonlyMap<string, ExperimentSpec>,
): StaleCells {
  if (known?.notebook !== notebook || known.specs !== specs)
    known = { notebook, specs, stale: staleCells(notebook, specs) };
  return known.stale;
}
