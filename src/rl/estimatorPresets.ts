import type { EstimatorOptions } from './groupAdvantages';

export type EstimatorPresetName =
  | 'grpoVerl'
  | 'grpoTrl'
  | 'grpoPaper'
  | 'grpoR1Zero'
  | 'drGrpo'
  | 'rloo'
  | 'globalStep'
  | 'drMasCode'
  | 'drMasPaper'
  | 'drMasMeanOnly'
  | 'drMasStdOnly'
  | 'agentOnce'
  | 'mgrpo'
  | 'atGrpo'
  | 'maxRl'
  | 'reinforceBatchMean'
  | 'reinforcePlusPlus'
  | 'reinforcePlusPlusBaseline';

/** A group-relative estimator as a paper or a library sets it. */
export interface EstimatorPreset {
  readonly options: EstimatorOptions;
  readonly label: string;
  readonly formula: string;
  readonly source: string;
  /** What sets it apart, and where sources differ. */
  readonly note: string;
}

/** Our defaults, from which each preset says how it differs. */
const base: EstimatorOptions = {
  scope: 'task',
  unit: 'trajectory',
  center: 'mean',
  scale: 'std',
  ddof: 1,
  epsilon: 1e-6,
  minStd: 1e-6,
  singleton: 'zero',
};

const drMasSource = 'Feng et al. 2026 (arXiv 2602.08847)';

/** Group-relative estimators by name. `minStd` 1e-6 is ours throughout: a group below it gets 0 instead of a division by ε alone. */
export const estimatorPresets: Readonly<Record<EstimatorPresetName, EstimatorPreset>> = {
  grpoVerl: {
    options: { ...base, singleton: 'raw' },
    label: 'GRPO, as in verl',
    formula: '(r − mean)/(std + 1e-6) over the trajectories of a task, n − 1',
    source: 'verl `compute_grpo_outcome_advantage`; Shao et al. 2024 (arXiv 2402.03300) §4.1',
    note: 'A group of one keeps its raw reward.',
  },
  grpoTrl: {
    options: { ...base, epsilon: 1e-4 },
    label: 'GRPO, as in TRL',
    formula: '(r − mean)/(std + 1e-4) over the trajectories of a task, n − 1',
    source: 'TRL `GRPOTrainer`',
    note: 'The larger ε tells only where rewards hardly differ.',
  },
  grpoPaper: {
    options: { ...base, ddof: 0 },
    label: 'GRPO, population variance',
    formula: '(r − mean)/std over the trajectories of a task, n',
    source: 'Shao et al. 2024 (arXiv 2402.03300) §4.1',
    note: 'The paper prints no ε and does not say which variance; √(n/(n − 1)) times the sample convention.',
  },
  grpoR1Zero: {
    options: { ...base, epsilon: 1e-8 },
    label: 'GRPO, as in understand-r1-zero',
    formula: '(r − mean)/(std + 1e-8) over the trajectories of a task, n − 1',
    source: 'sail-sg/understand-r1-zero `train_zero_math.py`, `critic_type` grpo',
    note: 'The smallest ε of the three. Next to the smallest std of 1e-6, which is ours, it takes off 1 % at most.',
  },
  drGrpo: {
    options: { ...base, scale: 'none' },
    label: 'Dr. GRPO',
    formula: 'r − mean over the trajectories of a task',
    source: 'Liu et al. 2025 (arXiv 2503.20783) §3.2',
    note: 'Without the division a task that is nearly always solved or failed weighs less. Goes with the constant-length loss.',
  },
  rloo: {
    options: { ...base, center: 'leaveOneOut', scale: 'none' },
    label: 'RLOO',
    formula: 'r − mean of the others = n/(n − 1)·(r − mean)',
    source: 'Ahmadian et al. 2024 (arXiv 2402.14740)',
    note: 'verl keeps the raw reward of a group of one; here it gets 0.',
  },
  globalStep: {
    options: { ...base, unit: 'step' },
    label: 'Global, per step',
    formula: '(r − mean)/(std + ε) over the steps of a task, whoever took them',
    source:
      'the control that public issue 81 of langfengQ/DrMAS asks for; step-level GRPO of ComputerRL (arXiv 2508.14040)',
    note: 'Separates the weighting of steps from the identity of agents: long trajectories weigh more in their own baseline.',
  },
  drMasCode: {
    options: { ...base, scope: 'taskAgent', unit: 'step', singleton: 'raw' },
    label: 'Dr. MAS, as in its code',
    formula: '(r − μₖ)/(σₖ + 1e-6) over agent k’s steps in a task, n − 1',
    source: `${drMasSource} §4.2; langfengQ/DrMAS \`compute_grpo_outcome_advantage\``,
    note: 'The presets of this notebook differ in one point: a group of one gets 0, not its raw reward.',
  },
  drMasPaper: {
    options: { ...base, scope: 'taskAgent', unit: 'step', ddof: 0 },
    label: 'Dr. MAS, as printed',
    formula: '(r − μₖ)/σₖ over agent k’s steps in a task, n',
    source: `${drMasSource} §4.2`,
    note: 'The second moment of each agent’s advantages is then exactly 1 wherever its rewards differ.',
  },
  drMasMeanOnly: {
    options: { ...base, scope: 'taskAgentMeanOnly' },
    label: 'Dr. MAS, mean only',
    formula: '(r − μₖ)/(σ + ε)',
    source: `${drMasSource} Table 3`,
    note: 'One half of the ablation; the published branch mixes other statistics.',
  },
  drMasStdOnly: {
    options: { ...base, scope: 'taskAgentStdOnly' },
    label: 'Dr. MAS, std only',
    formula: '(r − μ)/(σₖ + ε)',
    source: `${drMasSource} Table 3`,
    note: 'Without the smallest std it explodes where an agent’s rewards are all equal: nothing centres the numerator.',
  },
  agentOnce: {
    options: { ...base, scope: 'taskAgent' },
    label: 'Agent-wise, each trajectory once',
    formula: '(r − μₖ)/(σₖ + ε) over the trajectories in which agent k acted',
    source: 'ours',
    note: 'Agent identity without the weighting of steps: the fourth corner of scope × unit.',
  },
  mgrpo: {
    options: { ...base, scope: 'taskAgent', ddof: 0 },
    label: 'M-GRPO',
    formula:
      'main: (R − mean)/std over the rollouts of a task; sub: the same over its aligned invocations; n',
    source: 'Hong et al. 2025 (arXiv 2511.13288) §3–4',
    note: 'With the alignment of sub-trajectories. The public code (AQ-MedAI/MrlX) aligns nothing and groups invocations as they come.',
  },
  atGrpo: {
    options: { ...base, scope: 'taskAgentTurn', unit: 'step' },
    label: 'AT-GRPO',
    formula: '(r − mean)/(std + ε) over the steps of one task, agent and turn, n − 1',
    source:
      'Stronger-MAS (arXiv 2510.11062), as in the code of pettingllms; not verified against the primary text',
    note: 'Without its tree sampling the states of a group differ from turn 1 on, and groups may shrink to one.',
  },
  maxRl: {
    options: { ...base, scale: 'groupMean' },
    label: 'MaxRL',
    formula: '(r − mean)/mean over the trajectories of a task; 0 if the mean is not positive',
    source:
      'arXiv 2602.02710, as in PrimeIntellect-ai/prime-rl `orchestrator/algo/max_rl.py`; the paper not verified',
    note: 'The rarer the success, the larger its advantage: 1/mean − 1, without a bound but group size − 1.',
  },
  reinforceBatchMean: {
    options: { ...base, scope: 'batch', scale: 'none' },
    label: 'REINFORCE, batch mean',
    formula: 'r − mean over all trajectories of the iteration',
    source: 'Williams 1992',
    note: 'Does not tell a hard task from a bad answer.',
  },
  reinforcePlusPlus: {
    options: { ...base, scope: 'batch', unit: 'step', scale: 'batchStd', epsilon: 1e-8 },
    label: 'REINFORCE++',
    formula: '(r − mean)/√(var + 1e-8) over all steps of the iteration',
    source: 'verl `compute_reinforce_plus_plus_outcome_advantage`',
    note: 'No group at all: hard and easy tasks share one baseline. verl whitens over tokens, which is the same where turns are equally long, and discounts with γ, here 1.',
  },
  reinforcePlusPlusBaseline: {
    options: { ...base, scale: 'batchStd', epsilon: 1e-8 },
    label: 'REINFORCE++-baseline',
    formula: 'x = r − mean over a task; (x − mean of x)/√(var of x + 1e-8) over the batch',
    source: 'verl `compute_reinforce_plus_plus_baseline_outcome_advantage`',
    note: 'One divisor for the whole batch: tasks keep their relative weight.',
  },
};
