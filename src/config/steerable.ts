import type { TrainingSpec } from './experimentSpec';
import { fieldPathOf, type FieldPath } from './fields';

/**
 * The settings that may change while a run goes on: those that a later update reads afresh. What decides about networks, memory, worlds
 * or the number of rollouts is not among them. In the order in which the page offers them.
 */
export const steerablePaths = [
  'policies.*.optimizer.learningRate',
  'policies.*.optimizer.maxGradNorm',
  'policies.*.optimizer.weightDecay',
  'policies.*.optimizer.momentum',
  'policies.*.isFrozen',
  'loss.clipLow',
  'loss.clipHigh',
  'loss.dualClip',
  'loss.weightCap',
  'loss.tauPositive',
  'loss.tauNegative',
  'loss.refKlCoef',
  'loss.entropyCoef',
  'loss.kind',
  'loss.aggregation',
  'loss.balance',
  'loss.dynamicSampling',
  'loss.numUpdateEpochs',
  'estimator.kind',
  'estimator.scope',
  'estimator.unit',
  'estimator.center',
  'estimator.scale',
  'estimator.ddof',
  'estimator.epsilon',
  'estimator.minStd',
  'estimator.singleton',
  'estimator.gamma',
  'estimator.gaeLambda',
  'estimator.isWhitened',
] as const satisfies readonly FieldPath[];

const steerable: ReadonlySet<FieldPath> = new Set<FieldPath>(steerablePaths);

export function isSteerable(path: string): boolean {
  const field = fieldPathOf(path);
  return field !== undefined && steerable.has(field);
}

const everyPolicy = 'policies.*.';

/** The settings of one training that a path of an intervention stands for. */
export function settingsAt({ policies }: Pick<TrainingSpec, 'policies'>, path: string): string[] {
  if (!path.startsWith(everyPolicy)) return [path];
  const rest = path.slice(everyPolicy.length);
  return Object.keys(policies).map((policyId) => `policies.${policyId}.${rest}`);
}
