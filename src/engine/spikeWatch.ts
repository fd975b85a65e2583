import type { MetricRow } from '../metrics/catalog';
import { createSpikeWindow, isSpikeNext, type SpikeWindow } from '../metrics/spikes';
import type { ReplicaPlan } from './cohorts';

/** Watches the gradient norms of a replica's agents for spikes, by the rule that tables and claims count with. */

/** [agents] the norms that the rule looks back on. */
export type SpikeMemory = readonly SpikeWindow[];

export function initialSpikes({ workflow }: Pick<ReplicaPlan, 'workflow'>): SpikeMemory {
  return workflow.spec.agents.map(createSpikeWindow);
}

/**
 * Takes one iteration's rows in. An agent without a norm keeps its window.
 * @param rows of the replica
 * @returns indices of the agents whose norm spiked, and the memory for the next iteration; `memory` itself stays as it is, since an
 * iteration may have to begin again from it
 */
export function watchSpikes(
  { workflow }: Pick<ReplicaPlan, 'workflow'>,
  memory: SpikeMemory,
  rows: readonly MetricRow[],
): { readonly memory: SpikeMemory; readonly agents: readonly number[] } {
  const agents: number[] = [];
  const after = workflow.spec.agents.map((agent, index) => {
    const { recent, sorted } = memory[index]!;
    const window = { recent: [...recent], sorted: [...sorted] };
    const norm = rows.find((row) => row.agent === agent)?.values.gradNorm;
    if (norm !== undefined && isSpikeNext(window, norm)) agents.push(index);
    return window;
  });
  return { memory: after, agents };
}
