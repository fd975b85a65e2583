import type { MetricRow } from '../metrics/catalog';
import {
  firstCollapse,
  initialCollapseState,
  observeCollapse,
  type CollapseRule,
  type CollapseSign,
  type CollapseState,
} from '../rl/collapse';
import type { ReplicaPlan } from './cohorts';

/** Watches every agent of a replica for the signs of a collapsed policy. */

/**
 * The rate's rule is the design matrix's; limits of KL and norm, and how long a sign has to last, are ours: wide enough that the
 * shipped presets never trip them.
 */
const collapseRule: CollapseRule = {
  minShareOfPeak: 0.5,
  maxApproxKl: 1,
  gradNormFactor: 50,
  baselineIterations: 10,
  patience: 3,
};

const signTexts: Readonly<Record<CollapseSign, string>> = {
  validActionRate: 'valid-action rate below half of its own peak',
  approxKl: `KL of an update above ${collapseRule.maxApproxKl} nat`,
  gradNorm: `gradient norm above ${collapseRule.gradNormFactor} × the median of its first ${collapseRule.baselineIterations}`,
};

/** [agents] */
export type CollapseMemory = readonly CollapseState[];

export function initialCollapse({ workflow }: ReplicaPlan): CollapseMemory {
  return workflow.spec.agents.map(() => initialCollapseState);
}

/**
 * Takes one iteration's rows in. Adds `collapsed`, 1 from the iteration in which a sign is established on, to the rows of agents.
 * @param rows of the replica, agents in the order of the world
 * @returns a notice for each agent that has collapsed in this iteration
 */
export function watchCollapse(
  { workflow, arm, seed }: ReplicaPlan,
  memory: CollapseMemory,
  rows: readonly MetricRow[],
): { readonly memory: CollapseMemory; readonly rows: MetricRow[]; readonly notices: string[] } {
  const notices: string[] = [];
  const after = workflow.spec.agents.map((agent, index) => {
    const before = memory[index]!;
    const row = rows.find((candidate) => candidate.agent === agent);
    if (row === undefined) return before;
    const { validActionRate = null, approxKl = null, gradNorm = null } = row.values;
    const seen = { iteration: row.iteration, validActionRate, approxKl, gradNorm };
    const state = observeCollapse(before, seen, collapseRule);
    const first = firstCollapse(state);
    if (first !== null && firstCollapse(before) === null)
      notices.push(
        `Collapse in arm ${arm}, seed ${seed}, agent ${agent}: ${signTexts[first.sign]} since iteration ${first.iteration}.`,
      );
    return state;
  });
  const marked = rows.map((row) => {
    const state = after[workflow.spec.agents.indexOf(row.agent)];
    if (state === undefined || row.values.numTurns === 0) return row;
    const collapsed = firstCollapse(state) === null ? 0 : 1;
    return { ...row, values: { ...row.values, collapsed } };
  });
  return { memory: after, rows: marked, notices };
}
