import type { TeamModel } from './teamModel';

/**
 * Agents by their distance from the one that begins: [layers][agents]. Those that nobody calls follow last. In a layer agents with one
 * policy stand together, otherwise as in the experiment.
 */
export function teamLayers(team: TeamModel): readonly (readonly string[])[] {
  const order = sharedTogether(team);
  const layers: string[][] = [];
  const placed = new Set<string>();
  let layer = [team.firstAgent];
  while (layer.length > 0) {
    layers.push(layer);
    for (const agent of layer) placed.add(agent);
    const called = new Set(team.edges.filter(({ from }) => placed.has(from)).map(({ to }) => to));
    layer = order.filter((agent) => called.has(agent) && !placed.has(agent));
  }
  const uncalled = order.filter((agent) => !placed.has(agent));
  return uncalled.length > 0 ? [...layers, uncalled] : layers;
}

/** Each policy's agents one after the other, policies in the order of their first agent. */
function sharedTogether({ agents }: TeamModel): readonly string[] {
  const policyIds = [...new Set(agents.map(({ policyId }) => policyId))];
  return policyIds.flatMap((policyId) =>
    agents.filter((agent) => agent.policyId === policyId).map(({ agent }) => agent),
  );
}
