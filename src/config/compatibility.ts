import {
  worldsWithInvocations,
  type EnvironmentSpec,
  type EstimatorSpec,
  type GroupEstimatorSpec,
  type TrainingSpec,
} from './experimentSpec';
import { fieldAt } from './fields';
import type { SpecIssue } from './specIssue';

/** Settings that are each possible and make no sense together, in the words of the form. */

/** Everything in which the settings of one training contradict each other; each at the setting that is best changed. */
export function compatibilityIssues(training: TrainingSpec): readonly SpecIssue[] {
  return rules.flatMap((rule) => rule(training));
}

type Rule = (training: TrainingSpec) => readonly SpecIssue[];

/** An option as the form prints it: `“tree, best branch continues”`. */
function option(path: string, value: string | number): string {
  const field = fieldAt(path);
  const label = field?.kind === 'choice' ? field.options[value] : undefined;
  return `“${label ?? value}”`;
}

function issueIf(isWrong: boolean, path: string, message: string): readonly SpecIssue[] {
  return isWrong ? [{ path, message }] : [];
}

/** Scopes that compare an agent with nobody but itself. */
const scopesWithinAgent: ReadonlySet<string> = new Set(['taskAgent', 'taskAgentTurn']);

/** M-GRPO's alignment makes the invocations of a sub-agent equal in number before they are compared with each other. */
function alignmentIssues({ environment, estimator }: TrainingSpec): readonly SpecIssue[] {
  if (estimator.kind !== 'group' || estimator.alignment === 'none') return [];
  const path = 'estimator.alignment';
  const came = option(path, estimator.alignment);
  const none = option(path, 'none');
  if (!worldsWithInvocations.has(environment.kind))
    return [
      {
        path,
        message: `${came} came, but no agent of this world is called as a sub-agent, so there is nothing to align: choose ${none}, or the world ${option('environment.kind', 'planExecute')}.`,
      },
    ];
  return issueIf(
    !scopesWithinAgent.has(estimator.scope),
    path,
    `${came} came with statistics over ${option('estimator.scope', estimator.scope)}, which mix the invocations of an agent with what others did: choose ${none}, or statistics over ${option('estimator.scope', 'taskAgent')}.`,
  );
}

function turnGroupIssues({ estimator }: TrainingSpec): readonly SpecIssue[] {
  const isWrong =
    estimator.kind === 'group' &&
    estimator.scope === 'taskAgentTurn' &&
    estimator.unit === 'trajectory';
  return issueIf(
    isWrong,
    'estimator.unit',
    `${option('estimator.unit', 'trajectory')} came, but statistics over ${option('estimator.scope', 'taskAgentTurn')} compare single steps: choose ${option('estimator.unit', 'step')}, or other groups.`,
  );
}

function hierarchyIssues({ environment, estimator }: TrainingSpec): readonly SpecIssue[] {
  return issueIf(
    estimator.kind === 'hierarchical' && !worldsWithInvocations.has(environment.kind),
    'estimator.kind',
    `${option('estimator.kind', 'hierarchical')} came, which compares the calls of a sub-agent within their episode, and this world has none: choose another estimator, or the world ${option('environment.kind', 'planExecute')}.`,
  );
}

/** A shared critic learns one value of the team; where each invocation earns its own reward there is none. */
function criticIssues({ environment, estimator }: TrainingSpec): readonly SpecIssue[] {
  if (estimator.kind !== 'gae' && estimator.kind !== 'vtrace') return [];
  return issueIf(
    estimator.critic !== 'own' && worldsWithInvocations.has(environment.kind),
    'estimator.critic',
    `${option('estimator.critic', estimator.critic)} came, but in this world main trajectories and invocations earn different rewards, so the team has no one value: choose ${option('estimator.critic', 'own')}, or another world.`,
  );
}

/** Most leaves of the trees of one iteration: all are held in memory until the update. */
const maxLeaves = 65_536;

/** A tree whose branches all continue multiplies from turn to turn. */
function treeSizeIssues({ environment, groups }: TrainingSpec): readonly SpecIssue[] {
  if (groups.sampling !== 'expand') return [];
  const { groupSize, tasksPerIteration } = groups;
  const limit = turnLimitOf(environment);
  const numLeaves = tasksPerIteration * groupSize ** limit;
  return issueIf(
    numLeaves > maxLeaves,
    'groups.groupSize',
    `${groupSize} came, but ${tasksPerIteration} trees of up to ${limit} turns with ${groupSize} branches each have up to ${numLeaves} leaves: expected at most ${maxLeaves}. Lower it, or the number of tasks.`,
  );
}

/** The branches of a tree share the state of their turn and nothing after it. */
function treeIssues({ estimator, groups }: TrainingSpec): readonly SpecIssue[] {
  const isByTurn = estimator.kind === 'group' && estimator.scope === 'taskAgentTurn';
  return issueIf(
    groups.sampling !== 'parallel' && !isByTurn,
    'groups.sampling',
    `${option('groups.sampling', groups.sampling)} came, but the branches of a turn can only be compared with each other: choose the estimator ${option('estimator.kind', 'group')} with statistics over ${option('estimator.scope', 'taskAgentTurn')}, or ${option('groups.sampling', 'parallel')}.`,
  );
}

/** The branches of a tree whose best continues all have the outcome of its trunk. */
function trunkIssues({ groups, loss }: TrainingSpec): readonly SpecIssue[] {
  return issueIf(
    groups.sampling === 'tree' && loss.dynamicSampling,
    'loss.dynamicSampling',
    `On came with ${option('groups.sampling', 'tree')}: all branches of a task share the outcome of its trunk, so every group would be dropped. Switch it off, or choose ${option('groups.sampling', 'parallel')}.`,
  );
}

/** Whether the advantage of a single rollout is not taken away by its comparison with itself. */
function keepsSingle({
  center,
  scale,
  singleton,
}: Pick<GroupEstimatorSpec, 'center' | 'scale' | 'singleton'>): boolean {
  // Without a baseline the score itself is left, unless a standard deviation of 0 takes it away.
  const isRaw = singleton === 'raw' || (center === 'none' && scale !== 'std');
  return isRaw || scale === 'batchStd';
}

/** Whether a rollout that has no other of its task to be compared with gets advantage 0. */
function needsCompany(estimator: EstimatorSpec): boolean {
  switch (estimator.kind) {
    case 'gigpo':
    case 'hierarchical':
      return true;
    case 'movingBaseline':
    case 'gae':
    case 'vtrace':
      return false;
    case 'group':
      return estimator.scope !== 'batch' && !keepsSingle(estimator);
    case 'rollout':
    case 'turnReturn':
      return !keepsSingle(estimator);
  }
}

function groupOfOneIssues({ estimator, groups, loss }: TrainingSpec): readonly SpecIssue[] {
  if (groups.groupSize > 1) return [];
  return [
    ...issueIf(
      needsCompany(estimator),
      'groups.groupSize',
      '1 came, but this estimator compares the rollouts of a task with each other and gives a single one advantage 0, so nothing would be learned: expected 2 or more, or an estimator with a baseline of its own.',
    ),
    ...issueIf(
      loss.dynamicSampling,
      'loss.dynamicSampling',
      'On came with group size 1: a single rollout differs from no other, so every task would be dropped. Switch it off, or raise the group size.',
    ),
  ];
}

/** Each mismatch of sampler and policy is to be corrected once. */
function correctionIssues({ estimator, loss }: TrainingSpec): readonly SpecIssue[] {
  const path = 'loss.samplerCorrection';
  const came = option(path, loss.samplerCorrection);
  const none = option(path, 'none');
  const sampler = option('loss.oldLogprobs', 'sampler');
  const trainer = option('loss.oldLogprobs', 'trainer');
  const isCorrected = loss.samplerCorrection !== 'none';
  const isVtrace = estimator.kind === 'vtrace';
  return [
    ...issueIf(
      isCorrected && loss.oldLogprobs === 'sampler',
      path,
      `${came} came with π_old ${sampler}: the ratio is already taken against the sampler and leaves nothing to correct. Choose ${none}, or π_old ${trainer}.`,
    ),
    ...issueIf(
      isCorrected && isVtrace,
      path,
      `${came} came with V-trace, whose ρ̄ weighs by π/π_sampler already: the same mismatch would be corrected twice. Choose ${none}, or another estimator.`,
    ),
  ];
}

function klIssues({ loss }: TrainingSpec): readonly SpecIssue[] {
  const path = 'loss.refKlEstimator';
  return issueIf(
    loss.refKlCoef > 0 && loss.refKlIn === 'reward' && loss.refKlEstimator === 'k3ValueK2Gradient',
    path,
    `${option(path, loss.refKlEstimator)} came, but a reward has a value and no gradient: choose ${option(path, 'k3')}, which is that value, or ${option(path, 'k1')}, or the KL as ${option('loss.refKlIn', 'loss')}.`,
  );
}

/** Weights of `rolloutMeanWeights` give each rollout its own token mean only where the loss is a mean over tokens. */
function balanceIssues({ loss }: TrainingSpec): readonly SpecIssue[] {
  return issueIf(
    loss.balance === 'rollout' && loss.aggregation !== 'tokenMean',
    'loss.balance',
    `${option('loss.balance', 'rollout')} came, which are weights of a mean over tokens: choose the aggregation ${option('loss.aggregation', 'tokenMean')}, or another balance.`,
  );
}

/** The turns after which the world ends an episode. `envs` must agree; a test compares. Unit: turns. */
export function turnLimitOf(environment: EnvironmentSpec): number {
  switch (environment.kind) {
    case 'routeSearchAnswer':
      return environment.maxTurns;
    case 'solveVerify':
      return environment.actOnce ? 2 : 2 * environment.maxRounds - 1;
    case 'planExecute':
      return 2 + environment.maxSubtasks * environment.toolTurns;
  }
}

function lengthIssues({ environment, loss }: TrainingSpec): readonly SpecIssue[] {
  const limit = turnLimitOf(environment);
  return issueIf(
    loss.overlongTurns > limit,
    'loss.overlongTurns',
    `${loss.overlongTurns} came, but an episode of this world has at most ${limit} turns: expected a number up to that.`,
  );
}

function minibatchIssues({ groups, loss }: TrainingSpec): readonly SpecIssue[] {
  const numRollouts = groups.tasksPerIteration * groups.groupSize;
  return issueIf(
    loss.numMinibatches > numRollouts,
    'loss.numMinibatches',
    `${loss.numMinibatches} came, but an iteration has ${groups.tasksPerIteration} tasks × group size ${groups.groupSize} = ${numRollouts} rollouts to deal out: expected at most that many.`,
  );
}

function failureTagIssues({ failureTags }: TrainingSpec): readonly SpecIssue[] {
  if (failureTags.kind === 'none') return [];
  const { minScale, maxScale } = failureTags;
  return issueIf(
    minScale > maxScale,
    'failureTags.minScale',
    `${minScale} came, above the largest factor ${maxScale}: lower it, or raise the other.`,
  );
}

/** Nothing learns where every policy that acts is frozen. */
function frozenIssues(training: TrainingSpec): readonly SpecIssue[] {
  const { environment, agents, policies, pulses } = training;
  const isAlone = environment.kind === 'planExecute' && environment.singleAgent;
  const acting = Object.entries(agents).filter(([agent]) => !isAlone || agent === 'planner');
  const ids = [...new Set(acting.map(([, { policy }]) => policy))];
  if (!ids.every((id) => policies[id]?.isFrozen === true)) return [];
  return [
    ...ids.map((id) => ({
      path: `policies.${id}.isFrozen`,
      message:
        'On came for every policy that acts, so nothing would be learned: switch it off for one of them.',
    })),
    ...issueIf(
      pulses.kind !== 'none',
      'pulses.kind',
      `${option('pulses.kind', pulses.kind)} came, but every policy that acts is frozen and a pulse would teach nobody: choose ${option('pulses.kind', 'none')}, or let a policy learn.`,
    ),
  ];
}

const rules: readonly Rule[] = [
  alignmentIssues,
  turnGroupIssues,
  hierarchyIssues,
  criticIssues,
  treeIssues,
  treeSizeIssues,
  trunkIssues,
  groupOfOneIssues,
  correctionIssues,
  klIssues,
  balanceIssues,
  lengthIssues,
  minibatchIssues,
  failureTagIssues,
  frozenIssues,
];
