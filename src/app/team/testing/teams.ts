import { presets } from '../../../config/presets';
import type { TrainingSpec } from '../../../config/experimentSpec';
import { createWorkflow } from '../../../envs/registry';
import { teamModel, type TeamModel } from '../teamModel';

/** Teams to draw: those of the worlds, and made-up ones of 1 to 8 agents. */

/** `seats`: other policies for some agents. */
export function worldTeam(
  spec: Pick<TrainingSpec, 'environment' | 'agents' | 'policies'>,
  seats: Readonly<Record<string, { readonly policy: string }>> = {},
): TeamModel {
  const world = createWorkflow(spec.environment).spec;
  return teamModel(world, { policies: spec.policies, agents: { ...spec.agents, ...seats } });
}

const { environment: routed } = presets['route-search-answer'].spec;
const [router, search, answer] = ['router', 'search', 'answer'].map((policy) => ({ policy }));

export const worldTeams: readonly (readonly [string, TeamModel])[] = [
  ['route, search, answer', worldTeam(presets['route-search-answer'].spec)],
  ['solve, verify', worldTeam(presets['solve-verify'].spec)],
  ['each acts once', worldTeam(presets['solve-verify-null'].spec)],
  ['plan, execute', worldTeam(presets['plan-execute'].spec)],
  [
    'one policy for all',
    worldTeam(presets['route-search-answer'].spec, { search: router!, answer: router! }),
  ],
  [
    'search and answer share',
    worldTeam({ ...presets['route-search-answer'].spec, environment: routed }, { answer: search! }),
  ],
  ['router and answer share', worldTeam(presets['route-search-answer'].spec, { router: answer! })],
];

type Pairs = readonly (readonly [number, number])[];

/** Who calls whom among n agents, by the form of the team. */
const forms: Readonly<Record<string, (n: number) => Pairs>> = {
  chain: (n) => Array.from({ length: n - 1 }, (_, i) => [i, i + 1] as const),
  ring: (n) => Array.from({ length: n > 1 ? n : 0 }, (_, i) => [i, (i + 1) % n] as const),
  star: (n) =>
    Array.from({ length: n - 1 }, (_, i) => [[0, i + 1] as const, [i + 1, 0] as const]).flat(),
  tree: (n) => Array.from({ length: n - 1 }, (_, i) => [i >> 1, i + 1] as const),
  strangers: () => [],
};

/** Each form with own policies, with one policy for all and with every other agent on one policy. */
export const madeUpTeams: readonly (readonly [string, TeamModel])[] = Object.entries(forms).flatMap(
  ([form, pairsOf]) =>
    Array.from({ length: 8 }, (_, i) => i + 1).flatMap((n) =>
      [n, 1, 2].map((numPolicies): [string, TeamModel] => [
        `${form} of ${n} with ${numPolicies} policies`,
        madeUpTeam(n, pairsOf(n), numPolicies),
      ]),
    ),
);

function madeUpTeam(n: number, pairs: Pairs, numPolicies: number): TeamModel {
  const agents = Array.from({ length: n }, (_, i) => `agent${i}`);
  return teamModel(
    {
      agents,
      firstAgent: 0,
      handovers: pairs.map(([from, to]) => ({ from, to, message: 'message' })),
    },
    {
      policies: {},
      agents: Object.fromEntries(
        agents.map((agent, i) => [agent, { policy: `policy${i % numPolicies}` }]),
      ),
    },
  );
}
