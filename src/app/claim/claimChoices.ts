import { metricCatalog, type MetricKey } from '../../metrics/catalog';
import { teamId } from '../../metrics/runSeries';
import type { ClaimCell } from '../../notebook/cells';
import type { ClaimQuantity, ClaimStatement } from '../../notebook/claimCell';
import { isMetricKey } from '../../notebook/names';
import { experimentCells, type Notebook } from '../../notebook/notebook';
import { agentsOf } from '../../notebook/references';
import type { ChoiceOption } from '../Choice';

/** What a claim can be made of, and how one part is changed so that the rest stays possible. */

/** Names of one experiment. */
export interface ExperimentNames {
  readonly arms: readonly string[];
  /** Without the team. */
  readonly agents: readonly string[];
  readonly numSeeds: number;
}

/** Empty for an experiment that is not there. */
export function namesOf(notebook: Notebook, experiment: string): ExperimentNames {
  const spec = experimentCells(notebook).find(({ id }) => id === experiment)?.spec;
  if (spec === undefined) return { arms: [], agents: [], numSeeds: 0 };
  return {
    arms: spec.arms.map(({ name }) => name),
    agents: agentsOf(spec),
    numSeeds: spec.seeds.length,
  };
}

export const metricKeys: readonly MetricKey[] = Object.keys(metricCatalog).filter(isMetricKey);

/** All metrics by their labels. */
export const metricOptions: readonly ChoiceOption<MetricKey>[] = metricKeys.map((key) => [
  key,
  metricCatalog[key].label,
]);

/** Another metric: of the team it has no agent, of agents it keeps the one it had, or takes the first. */
export function withMetric(
  quantity: ClaimQuantity,
  metric: MetricKey,
  agents: readonly string[],
): ClaimQuantity {
  return { ...quantity, metric, agent: agentFor(metric, quantity.agent, agents) };
}

function agentFor(metric: MetricKey, agent: string, agents: readonly string[]): string {
  if (metricCatalog[metric].level === 'team') return teamId;
  return agent === teamId ? (agents[0] ?? agent) : agent;
}

/** Another experiment: arms and agents that it does not have become its first ones. */
export function withExperiment(cell: ClaimCell, notebook: Notebook, experiment: string): ClaimCell {
  const { arms, agents } = namesOf(notebook, experiment);
  const moved = (quantity: ClaimQuantity): ClaimQuantity => ({
    ...quantity,
    arm: arms.includes(quantity.arm) ? quantity.arm : (arms[0] ?? quantity.arm),
    agent: [teamId, ...agents].includes(quantity.agent)
      ? quantity.agent
      : (agents[0] ?? quantity.agent),
  });
  const { left, right } = cell.statement;
  const statement = {
    ...cell.statement,
    left: moved(left),
    right: right.kind === 'quantity' ? moved(right) : right,
  };
  return { ...cell, experiment, statement };
}

type RightKind = ClaimStatement['right']['kind'];

/** A quantity on the right begins as the one on the left, a constant as 0. */
export function withRightKind(statement: ClaimStatement, kind: RightKind): ClaimStatement {
  if (kind === statement.right.kind) return statement;
  const right = kind === 'constant' ? { kind, value: 0 } : statement.left;
  return { ...statement, right };
}

/** Null: once, over all seeds. */
export function withSeeds(statement: ClaimStatement, inAtLeast: number | null): ClaimStatement {
  const { inAtLeast: _, ...once } = statement;
  return inAtLeast === null ? once : { ...once, inAtLeast };
}

/** Known names, and before them the present one where it is none of them: a control shows what is there. */
export function withPresent(
  known: readonly string[],
  present: string,
): readonly (readonly [string, string])[] {
  const names = known.map((name) => [name, name] as const);
  return known.includes(present) ? names : [[present, `${present} (not there)`], ...names];
}
