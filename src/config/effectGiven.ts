import { turnLimitOf } from './compatibility';
import { valueAt } from './dataPath';
import { counted, effectNumber } from './effectNumber';
import { inflationBound } from '../rl/inflation';
import { worldsWithInvocations, type ExperimentSpec, type PolicySpec } from './experimentSpec';

/** What a sentence about a setting is made from. */

/** Sizes of the world, which `envs` knows. */
export interface WorldSizes {
  readonly vocabularySize: number;
  readonly maxPromptTokens: number;
  readonly maxActionTokens: number;
}

export interface Given {
  readonly spec: ExperimentSpec;
  readonly world: WorldSizes;
  /** Concrete path of the setting, e.g. `policies.router.isFrozen`. */
  readonly path: string;
  readonly value: unknown;
}

/** What a setting’s present value means, in one or two sentences with the numbers of this specification. */
export type Effect = (given: Given) => string;
/** Path or pattern of a setting → its effect. */
export type Effects = Readonly<Record<string, Effect>>;

/** The value of a setting that holds a number; 0 stands in for one that does not. */
export function numberOf({ value }: Pick<Given, 'value'>): number {
  return typeof value === 'number' ? value : 0;
}

/** Another setting of the specification that holds a number; undefined where it has none or holds null. */
export function numberAt(spec: ExperimentSpec, path: string): number | undefined {
  const value = valueAt(spec, path);
  return typeof value === 'number' ? value : undefined;
}

/** An effect told option by option. `T` names every option, so that a new one is a type error. */
export function byOption<T extends string>(effects: Readonly<Record<T, Effect>>): Effect {
  const known: Readonly<Record<string, Effect>> = effects;
  return (given) => {
    const option = String(given.value);
    return Object.hasOwn(known, option) ? known[option]!(given) : `Set to ${option}.`;
  };
}

/** An effect for on and one for off. */
export function whether(on: Effect, off: Effect): Effect {
  return (given) => (given.value === true ? on(given) : off(given));
}

/** An effect of a number, and what `null` does. */
export function orNull(effect: Effect, ofNull: string): Effect {
  return (given) => (given.value === null ? ofNull : effect(given));
}

/** The policy that a path such as `policies.router.isFrozen` belongs to. */
export function policyOf({ spec, path }: Given): {
  readonly id: string;
  readonly policy: PolicySpec;
} {
  const id = path.split('.')[1] ?? '';
  const policy = spec.policies[id];
  if (policy === undefined)
    throw new RangeError(`${path} names no policy of the specification: give policies.<id>.…`);
  return { id, policy };
}

/** Agents that write with a policy. */
export function agentsOf(
  { agents }: Pick<ExperimentSpec, 'agents'>,
  policyId: string,
): readonly string[] {
  return Object.keys(agents).filter((agent) => agents[agent]!.policy === policyId);
}

/** Trajectories of one iteration; for trees whose branches all continue, at most. */
export function trajectoriesOf({
  groups,
  environment,
}: Pick<ExperimentSpec, 'groups' | 'environment'>): number {
  const { tasksPerIteration, groupSize, sampling } = groups;
  const perTask = sampling === 'expand' ? groupSize ** turnLimitOf(environment) : groupSize;
  return tasksPerIteration * perTask;
}

/** `16 tasks × 32 rollouts = 512 trajectories`. */
export function trajectoriesText(spec: ExperimentSpec): string {
  const { tasksPerIteration, groupSize } = spec.groups;
  const each = {
    parallel: counted(groupSize, 'rollout'),
    tree: counted(groupSize, 'branch', 'branches'),
    expand: `up to ${groupSize}^${turnLimitOf(spec.environment)} leaves`,
  };
  const all = counted(trajectoriesOf(spec), 'trajectory', 'trajectories');
  return `${counted(tasksPerIteration, 'task')} × ${each[spec.groups.sampling]} = ${all}`;
}

/**
 * The most that statistics of the task over whole trajectories can inflate an agent's second moment. Null where invocations are
 * samples of their own: a task then has more samples than rollouts, and the bound is another in every task.
 */
export function samuelsonBound({
  groups,
  environment,
}: Pick<ExperimentSpec, 'groups' | 'environment'>): number | null {
  return worldsWithInvocations.has(environment.kind) ? null : inflationBound(groups.groupSize);
}

/** Optimizer steps of a policy in one iteration. */
export function optimizerStepsOf({ loss }: Pick<ExperimentSpec, 'loss'>): number {
  return loss.numMinibatches * loss.numUpdateEpochs;
}

/** `0.95^3 = 0.857`: a factor per turn over the turns between the first and the last one allowed. */
export function overTheEpisode(factor: number, spec: ExperimentSpec): string {
  const turns = turnLimitOf(spec.environment) - 1;
  return `${effectNumber(factor)}^${turns} = ${effectNumber(factor ** turns)}`;
}
