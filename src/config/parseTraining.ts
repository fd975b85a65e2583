import * as z from 'zod/mini';
import { compatibilityIssues } from './compatibility';
import { agentIdsOf, experimentSpecSchema, type TrainingSpec } from './experimentSpec';
import { joinPath } from './dataPath';
import { shown, toSpecIssues } from './issueMessages';
import type { SpecIssue } from './specIssue';

const trainingSchema = z.pick(experimentSpecSchema, {
  environment: true,
  agents: true,
  policies: true,
  estimator: true,
  loss: true,
  groups: true,
  pulses: true,
  failureTags: true,
  warmStart: true,
});

/** Most episodes of one iteration and replica: rollouts are held in memory until the update. */
const maxEpisodesPerIteration = 65_536;

/** The part of a specification that describes one training: what an arm may override. Shares its values with `spec`. */
export function trainingOf(spec: TrainingSpec): TrainingSpec {
  const { environment, agents, policies, estimator, loss, groups, warmStart } = spec;
  const { pulses, failureTags } = spec;
  return {
    environment,
    agents,
    policies,
    estimator,
    loss,
    groups,
    pulses,
    failureTags,
    warmStart,
  };
}

/** Plain data (see `plainCopy`) to the description of one training, or everything that is wrong with it. */
export function parseTraining(
  data: unknown,
):
  | { readonly ok: true; readonly training: TrainingSpec }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] } {
  const parsed = trainingSchema.safeParse(data);
  if (!parsed.success) return { ok: false, issues: toSpecIssues(parsed.error.issues, data) };
  const issues = trainingIssues(parsed.data);
  return issues.length > 0 ? { ok: false, issues } : { ok: true, training: parsed.data };
}

/** Rules between the fields of one training that the schema cannot say. */
export function trainingIssues(training: TrainingSpec): readonly SpecIssue[] {
  return [
    ...roleIssues(training),
    ...policyIssues(training),
    ...episodeIssues(training),
    ...compatibilityIssues(training),
  ];
}

function roleIssues({ environment, agents }: TrainingSpec): readonly SpecIssue[] {
  const roles = agentIdsOf[environment.kind];
  const expected = `the agents of the world ${environment.kind} are ${roles.join(', ')}`;
  const missing = roles.filter((role) => !Object.hasOwn(agents, role));
  const extra = Object.keys(agents).filter((agent) => !roles.includes(agent));
  return [
    ...missing.map((role) => ({
      path: joinPath('agents', role),
      message: `Nothing came, expected a policy for this agent: ${expected}.`,
    })),
    ...extra.map((agent) => ({
      path: joinPath('agents', agent),
      message: `No such agent: ${expected}. Remove it, or change the world.`,
    })),
  ];
}

function policyIssues({ agents, policies }: TrainingSpec): readonly SpecIssue[] {
  const known = Object.keys(policies).join(', ') || 'none yet';
  return Object.entries(agents)
    .filter(([, { policy }]) => !Object.hasOwn(policies, policy))
    .map(([agent, { policy }]) => ({
      path: `agents.${agent}.policy`,
      message: `${shown(policy)} came, expected one of the policies (${known}): choose one, or add it under policies.`,
    }));
}

function episodeIssues({ groups }: TrainingSpec): readonly SpecIssue[] {
  const numEpisodes = groups.tasksPerIteration * groups.groupSize;
  if (numEpisodes <= maxEpisodesPerIteration) return [];
  return [
    {
      path: 'groups',
      message: `${groups.tasksPerIteration} tasks × group size ${groups.groupSize} = ${numEpisodes} rollouts per iteration, expected at most ${maxEpisodesPerIteration}: lower one of them.`,
    },
  ];
}
