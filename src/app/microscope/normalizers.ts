import { defaultEstimators } from '../../config/defaults';
import type { EstimatorSpec, TrainingSpec } from '../../config/experimentSpec';
import type { EstimatorOptions } from '../../rl/groupAdvantages';

/** The normalizers that the microscope sets side by side, and the conventions that all of them share. */

export type NormalizerId = 'globalTrajectory' | 'globalStep' | 'agentWise' | 'leaveOneOut';

export interface Normalizer {
  readonly id: NormalizerId;
  readonly label: string;
  readonly formula: string;
  readonly options: EstimatorOptions;
}

/** What is the same for all of them: where an arm's estimator sets it, as that does. */
export type Conventions = Pick<EstimatorOptions, 'ddof' | 'epsilon' | 'minStd' | 'singleton'>;

/** The arm's own conventions; the notebook's defaults for those that its estimator does not have. */
export function conventionsOf(estimator: EstimatorSpec): Conventions {
  const { ddof, epsilon, minStd, singleton } = { ...defaultEstimators.group, ...estimator };
  return { ddof, epsilon, minStd, singleton };
}

/** In the order in which they are shown. */
export function normalizersUnder(conventions: Conventions): readonly Normalizer[] {
  const grpo = { ...conventions, scope: 'task', unit: 'trajectory' } as const;
  const scaled = { center: 'mean', scale: 'std' } as const;
  return [
    {
      id: 'globalTrajectory',
      label: 'Global, per trajectory',
      formula: '(r − μ)/(σ + ε), every trajectory once (GRPO)',
      options: { ...grpo, ...scaled },
    },
    {
      id: 'globalStep',
      label: 'Global, per step',
      formula: '(r − μ)/(σ + ε), every step once',
      options: { ...grpo, ...scaled, unit: 'step' },
    },
    {
      id: 'agentWise',
      label: 'Agent-wise',
      formula: '(r − μₖ)/(σₖ + ε), the agent’s own steps (Dr. MAS)',
      options: { ...grpo, ...scaled, scope: 'taskAgent', unit: 'step' },
    },
    {
      id: 'leaveOneOut',
      label: 'Leave-one-out',
      formula: 'r − mean of the other trajectories (RLOO)',
      options: { ...grpo, center: 'leaveOneOut', scale: 'none' },
    },
  ];
}

/**
 * Which of them the arm learns with; null where it learns with another estimator, or where failure tags or an alignment of
 * sub-trajectories change what comes out.
 */
export function normalizerInUse({
  estimator,
  failureTags,
}: Pick<TrainingSpec, 'estimator' | 'failureTags'>): NormalizerId | null {
  if (estimator.kind !== 'group' || estimator.alignment !== 'none' || failureTags.kind !== 'none')
    return null;
  const own = normalizersUnder(estimator).find(
    ({ options }) =>
      options.scope === estimator.scope &&
      options.unit === estimator.unit &&
      options.center === estimator.center &&
      options.scale === estimator.scale,
  );
  return own?.id ?? null;
}

/** False for estimators whose advantages come from a critic or a moving baseline. */
export function comparesGroups({ kind }: EstimatorSpec): boolean {
  return kind !== 'movingBaseline' && kind !== 'gae' && kind !== 'vtrace';
}
