import type { EnvironmentSpec } from '../config/experimentSpec';

/**
 * Their registered agents, in the order of their lists; ours → theirs.
 * examples/drmas_trainer/run_search.sh and run_math.sh at 161a9a9: the verifier there routes between search and answer.
 */
export const drMasAgents: Readonly<
  Partial<Record<EnvironmentSpec['kind'], readonly (readonly [string, string])[]>>
> = {
  routeSearchAnswer: [
    ['router', 'Verifier Agent'],
    ['search', 'Search Agent'],
    ['answer', 'Answer Agent'],
  ],
  solveVerify: [
    ['solver', 'Solver Agent'],
    ['verifier', 'Verifier Agent'],
  ],
};
