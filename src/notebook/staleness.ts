import type { ExperimentSpec } from '../config/experimentSpec';
import { differencesOf, type SpecDifference } from '../config/overrides';
import { experimentCells, type Notebook } from './notebook';
import { experimentsBehind } from './references';

/** Why a cell no longer speaks of what its notebook says. */
export interface StaleCause {
  /** Id of the experiment cell. */
  readonly experiment: string;
  /** Settings that are not those of the last run, at least one. `from`: as it ran; `to`: as it stands now. */
  readonly differences: readonly SpecDifference[];
}

/** Cell id → one cause per experiment that it shows or cites, in the order in which it does. Fresh cells are absent. */
export type StaleCells = ReadonlyMap<string, readonly StaleCause[]>;

/** Settings that name things and train nothing. */
const namesOnly: ReadonlySet<string> = new Set(['title']);

/**
 * The cells whose runs were made with other settings than the notebook now has: experiments, and everything that shows, judges or
 * cites them. An experiment that has not run, or is gone, makes nothing stale. Nothing is run again here or because of this.
 * @param lastRuns id of an experiment cell → the specification that its newest run was made with
 */
export function staleCells(
  notebook: Notebook,
  lastRuns: ReadonlyMap<string, ExperimentSpec>,
): StaleCells {
  const causes = new Map(
    experimentCells(notebook).flatMap(({ id, spec }) => {
      const cause = causeOf(id, spec, lastRuns.get(id));
      return cause === null ? [] : [[id, cause] as const];
    }),
  );
  const stale = new Map<string, readonly StaleCause[]>();
  for (const cell of notebook.cells) {
    const experiments = cell.kind === 'experiment' ? [cell.id] : experimentsBehind(cell);
    const found = experiments.flatMap((id) => causes.get(id) ?? []);
    if (found.length > 0) stale.set(cell.id, found);
  }
  return stale;
}

function causeOf(
  experiment: string,
  spec: ExperimentSpec,
  lastRun: ExperimentSpec | undefined,
): StaleCause | null {
  if (lastRun === undefined || lastRun === spec) return null;
  const differences = differencesOf(spec, lastRun).filter(({ path }) => !namesOnly.has(path));
  return differences.length > 0 ? { experiment, differences } : null;
}
