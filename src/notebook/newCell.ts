import type { ExperimentSpec } from '../config/experimentSpec';
import { presets } from '../config/presets';
import { teamId } from '../metrics/runSeries';
import {
  cellKinds,
  type CellKind,
  type ClaimCell,
  type DependentCell,
  type ExperimentCell,
  type NotebookCell,
} from './cells';
import { isExperimentCell, type Notebook } from './notebook';

/**
 * A cell with the content one would most likely start from. What shows runs takes the nearest experiment above its place, or the
 * first one below; null where the notebook has none. A text begins empty: what it says is the author's.
 * @param at index that the cell will have, 0 to the number of cells
 */
export function newCell(
  notebook: Notebook,
  { id, kind, at }: { readonly id: string; readonly kind: CellKind; readonly at: number },
): NotebookCell | null {
  if (kind === 'text') return { id, kind, source: '' };
  if (kind === 'experiment') return { id, kind, spec: presets['route-search-answer'].spec };
  const experiment = nearestExperiment(notebook, at);
  return experiment === undefined ? null : cellShowing(experiment, { id, kind });
}

/** The kinds that can be added now: what shows runs wants an experiment. In the order in which the page offers them. */
export function addableKinds({ cells }: Notebook): readonly CellKind[] {
  const hasExperiment = cells.some(isExperimentCell);
  return cellKinds.filter((kind) => hasExperiment || kind === 'text' || kind === 'experiment');
}

function nearestExperiment({ cells }: Notebook, at: number): ExperimentCell | undefined {
  return cells.slice(0, at).findLast(isExperimentCell) ?? cells.slice(at).find(isExperimentCell);
}

function cellShowing(
  { id: experiment, spec }: ExperimentCell,
  { id, kind }: { readonly id: string; readonly kind: DependentCell['kind'] },
): DependentCell {
  const { first, last } = armsOf(spec);
  const frame = { id, experiment };
  switch (kind) {
    case 'chart':
      return {
        ...frame,
        kind,
        metrics: ['gradNorm'],
        agents: 'all',
        x: { kind: 'iteration' },
        // Norms of unequal agents lie decades apart.
        yScale: 'log',
        smoothing: 0,
        band: 'minMax',
        hasOutlierClip: false,
        pairedBaseline: null,
        height: 200,
        width: 'full',
      };
    case 'comparison':
      return {
        ...frame,
        kind,
        metric: null,
        agents: 'all',
        baseline: null,
        statistics: ['last', 'best', 'iqm', 'probabilityOfImprovement', 'seeds'],
      };
    case 'microscope':
      return { ...frame, kind, iteration: 1, taskGroup: 0, arm: first, seed: spec.seeds[0] ?? 0 };
    case 'rollouts':
      return {
        ...frame,
        kind,
        outcome: 'any',
        agent: null,
        arm: null,
        seed: null,
        iteration: 'latest',
      };
    case 'claim':
      return { ...frame, kind, statement: firstStatement(first, last) };
  }
}

/** The last arm does no worse than the first; one arm alone has nothing but a number to be compared with. */
function firstStatement(first: string, last: string): ClaimCell['statement'] {
  return {
    kind: 'compare',
    left: { arm: last, ...lastSuccess },
    relation: 'atLeast',
    right: first === last ? { kind: 'constant', value: 0.5 } : { arm: first, ...lastSuccess },
  };
}

const lastSuccess = {
  kind: 'quantity',
  agent: teamId,
  metric: 'success',
  statistic: 'last',
} as const;

function armsOf({ arms }: ExperimentSpec): { readonly first: string; readonly last: string } {
  return { first: arms[0]?.name ?? '', last: arms.at(-1)?.name ?? '' };
}
