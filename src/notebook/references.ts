import { agentIdsOf, type EnvironmentSpec, type ExperimentSpec } from '../config/experimentSpec';
import { teamId } from '../metrics/runSeries';
import type { DependentCell, NotebookCell } from './cells';
import { citedExperiments } from './liveText';
import { cellOf, type Notebook } from './notebook';

/** The experiment cells, there or not, whose runs a cell shows, judges or cites, each once. An experiment depends on none. */
export function experimentsBehind(cell: NotebookCell): readonly string[] {
  if (cell.kind === 'experiment') return [];
  return cell.kind === 'text' ? citedExperiments(cell.source) : [cell.experiment];
}

/** The cells that point to an experiment, in document order: to show before it is deleted. */
export function cellsPointingTo(notebook: Notebook, experiment: string): readonly NotebookCell[] {
  return notebook.cells.filter((cell) => experimentsBehind(cell).includes(experiment));
}

/** A name that the experiment does not have (any more). */
export interface BrokenName {
  readonly place: 'experiment' | 'arm' | 'agent' | 'seed';
  readonly name: string;
  /** Names that would do, in the order of the document. */
  readonly known: readonly string[];
}

/** The names by which something points into an experiment. */
export interface NamedPlace {
  readonly experiment: string;
  readonly arms: readonly string[];
  /** `team` is always known. */
  readonly agents: readonly string[];
  readonly seeds: readonly number[];
}

/** The first name of `place` that leads nowhere; null where all of them are known. */
export function brokenNameOf(notebook: Notebook, place: NamedPlace): BrokenName | null {
  const cell = cellOf(notebook, place.experiment);
  if (cell?.kind !== 'experiment') {
    const known = notebook.cells.filter(({ kind }) => kind === 'experiment').map(({ id }) => id);
    return { place: 'experiment', name: place.experiment, known };
  }
  const { spec } = cell;
  return (
    firstUnknown(
      'arm',
      place.arms,
      spec.arms.map(({ name }) => name),
    ) ??
    firstUnknown('agent', place.agents, [...agentsOf(spec), teamId]) ??
    firstUnknown('seed', place.seeds.map(String), spec.seeds.map(String))
  );
}

function firstUnknown(
  place: BrokenName['place'],
  names: readonly string[],
  known: readonly string[],
): BrokenName | null {
  const name = names.find((wanted) => !known.includes(wanted));
  return name === undefined ? null : { place, name, known };
}

/** The agents of the base and of every arm: an arm may run in another world. Each once. */
export function agentsOf(spec: ExperimentSpec): readonly string[] {
  const worlds = [
    spec.environment.kind,
    ...spec.arms.map(({ overrides }) => overrides['environment.kind']),
  ];
  return [...new Set(worlds.flatMap((world) => (isWorld(world) ? agentIdsOf[world] : [])))];
}

function isWorld(world: unknown): world is EnvironmentSpec['kind'] {
  return typeof world === 'string' && Object.hasOwn(agentIdsOf, world);
}

/** The names inside its experiment that a cell of the page points to. */
function placeOf(cell: DependentCell): NamedPlace {
  const place = { experiment: cell.experiment, arms: [], agents: [], seeds: [] };
  switch (cell.kind) {
    case 'chart':
      return { ...place, arms: named(cell.pairedBaseline), agents: listedAgents(cell.agents) };
    case 'comparison':
      return { ...place, arms: named(cell.baseline), agents: listedAgents(cell.agents) };
    case 'microscope':
      return { ...place, arms: [cell.arm], seeds: [cell.seed] };
    case 'rollouts':
      return {
        ...place,
        arms: named(cell.arm),
        agents: named(cell.agent),
        seeds: cell.seed === null ? [] : [cell.seed],
      };
    case 'claim': {
      const { left, right } = cell.statement;
      const sides = right.kind === 'quantity' ? [left, right] : [left];
      return {
        ...place,
        arms: sides.map(({ arm }) => arm),
        agents: sides.map(({ agent }) => agent),
      };
    }
  }
}

function named(name: string | null): readonly string[] {
  return name === null ? [] : [name];
}

function listedAgents(agents: 'all' | readonly string[]): readonly string[] {
  return agents === 'all' ? [] : agents;
}

/** The first name of a cell that leads nowhere; null where all of them are known. */
export function brokenCellOf(notebook: Notebook, cell: DependentCell): BrokenName | null {
  return brokenNameOf(notebook, placeOf(cell));
}

/** A cell that cannot show all it was asked for. */
export interface BrokenCell {
  readonly cell: string;
  readonly broken: BrokenName;
}

/**
 * Cells that point to a deleted experiment, or to an arm, agent or seed that their experiment has lost, in document order.
 * They are valid and keep what they hold; they have nothing to show for it. Texts are not among them: each of their live values
 * says for itself what is wrong.
 */
export function brokenCells(notebook: Notebook): readonly BrokenCell[] {
  return notebook.cells.flatMap((cell) => {
    if (cell.kind === 'experiment' || cell.kind === 'text') return [];
    const broken = brokenCellOf(notebook, cell);
    return broken === null ? [] : [{ cell: cell.id, broken }];
  });
}
