import { estimatorPresets, type EstimatorPresetName } from '../rl/estimatorPresets';
import { otherEstimatorRecipes } from './otherEstimatorRecipes';
import type { Recipe } from './recipe';

type Overrides = Recipe['overrides'];

/** The setting that every group-relative recipe departs from: GRPO with the guards of this notebook. */
export const groupRelative: Overrides = {
  'estimator.kind': 'group',
  'estimator.scope': 'task',
  'estimator.unit': 'trajectory',
  'estimator.center': 'mean',
  'estimator.scale': 'std',
  'estimator.ddof': 1,
  'estimator.epsilon': 1e-6,
  'estimator.minStd': 1e-6,
  'estimator.singleton': 'zero',
  'estimator.alignment': 'none',
  'groups.sampling': 'parallel',
};

export const drMasCode: Overrides = {
  ...groupRelative,
  'estimator.scope': 'taskAgent',
  'estimator.unit': 'step',
  'estimator.singleton': 'raw',
};

export const globalStep: Overrides = { ...groupRelative, 'estimator.unit': 'step' };

export const drGrpo: Overrides = { ...groupRelative, 'estimator.scale': 'none' };

/** A recipe whose words stand with the maths. */
function named(id: EstimatorPresetName, family: string, overrides: Overrides): Recipe {
  const { label, formula, source, note } = estimatorPresets[id];
  return { id, label, family, formula, source, note, overrides };
}

const grpoFamily = 'One group per task';
const agentFamily = 'One group per agent';

const perTask: readonly Recipe[] = [
  {
    id: 'grpo',
    label: 'GRPO, as the presets here',
    family: grpoFamily,
    formula: '(r − mean)/(std + 1e-6) over the trajectories of a task, n − 1',
    source: 'Shao et al. 2024 (arXiv 2402.03300) §4.1; the rule for a group of one: TRL',
    note: 'As in verl, but a group of one gets 0.',
    overrides: groupRelative,
  },
  named('grpoVerl', grpoFamily, { ...groupRelative, 'estimator.singleton': 'raw' }),
  named('grpoTrl', grpoFamily, { ...groupRelative, 'estimator.epsilon': 1e-4 }),
  {
    id: 'grpoR1Zero',
    label: 'GRPO, as in understand-r1-zero',
    family: grpoFamily,
    formula: '(r − mean)/(std + 1e-8) over the trajectories of a task, n − 1',
    source: 'sail-sg/understand-r1-zero `train_zero_math.py`',
    note: 'The smallest std of 1e-6 is ours and hides the smaller ε.',
    overrides: { ...groupRelative, 'estimator.epsilon': 1e-8 },
  },
  named('grpoPaper', grpoFamily, { ...groupRelative, 'estimator.ddof': 0 }),
  named('globalStep', grpoFamily, globalStep),
  named('drGrpo', grpoFamily, drGrpo),
  named('rloo', grpoFamily, { ...drGrpo, 'estimator.center': 'leaveOneOut' }),
  named('maxRl', grpoFamily, { ...groupRelative, 'estimator.scale': 'groupMean' }),
  named('reinforcePlusPlusBaseline', grpoFamily, {
    ...groupRelative,
    'estimator.scale': 'batchStd',
    'estimator.epsilon': 1e-8,
  }),
];

const perAgent: readonly Recipe[] = [
  {
    id: 'drMas',
    label: 'Dr. MAS, as the presets here',
    family: agentFamily,
    formula: '(r − μₖ)/(σₖ + 1e-6) over agent k’s steps in a task, n − 1',
    source: 'Feng et al. 2026 (arXiv 2602.08847) §4.2; the rule for a group of one: TRL',
    note: 'As in its code, but a group of one gets 0.',
    overrides: { ...drMasCode, 'estimator.singleton': 'zero' },
  },
  named('drMasCode', agentFamily, drMasCode),
  named('drMasPaper', agentFamily, {
    ...drMasCode,
    'estimator.singleton': 'zero',
    'estimator.ddof': 0,
  }),
  named('drMasMeanOnly', agentFamily, {
    ...groupRelative,
    'estimator.scope': 'taskAgentMeanOnly',
  }),
  named('drMasStdOnly', agentFamily, { ...groupRelative, 'estimator.scope': 'taskAgentStdOnly' }),
  named('agentOnce', agentFamily, { ...groupRelative, 'estimator.scope': 'taskAgent' }),
  {
    id: 'atGrpoTree',
    label: 'AT-GRPO with tree sampling',
    family: agentFamily,
    formula:
      '(r − mean)/(std + 1e-6) over the branches of one agent’s turn, n − 1; r = r_team + r_local',
    source:
      'Stronger-MAS (arXiv 2510.11062), as described in secondary sources and in the code of pettingllms; not verified against the primary text',
    note: 'Every group has the full size, because its branches start from one state; the best branch continues.',
    overrides: {
      ...groupRelative,
      'estimator.scope': 'taskAgentTurn',
      'estimator.unit': 'step',
      'groups.sampling': 'tree',
      'groups.teamRewardWeight': 1,
    },
  },
  {
    id: 'malt',
    label: 'MALT’s values, as advantages',
    family: agentFamily,
    formula:
      'V − mean of V over the branches from one state; V(turn) = mean of V(children), V(last) = R',
    source:
      'Motwani et al. 2024 (arXiv 2412.01928), as described in secondary sources; not verified against the primary text',
    note: 'MALT itself imitates turns with V > ½ and trains on pairs; learning from V as an advantage is ours.',
    overrides: {
      ...groupRelative,
      'estimator.scope': 'taskAgentTurn',
      'estimator.unit': 'step',
      'estimator.scale': 'none',
      'groups.sampling': 'expand',
    },
  },
  {
    ...named('atGrpo', agentFamily, {
      ...groupRelative,
      'estimator.scope': 'taskAgentTurn',
      'estimator.unit': 'step',
    }),
    label: 'AT-GRPO, parallel sampling',
  },
];

const mgrpoAlignedBy = (alignment: string): Overrides => ({
  ...groupRelative,
  'estimator.scope': 'taskAgent',
  'estimator.ddof': 0,
  'estimator.alignment': alignment,
});

const subAgentFamily = 'Sub-agents';

const withSubAgents: readonly Recipe[] = [
  {
    ...named('mgrpo', subAgentFamily, mgrpoAlignedBy('duplicateDrop')),
    label: 'M-GRPO, as printed',
    note: 'd stays as the form has it: the paper takes the 99th percentile of dₖ. ε and the smallest std are ours. Only where agents call sub-agents.',
  },
  {
    id: 'mgrpoWeighted',
    label: 'M-GRPO, weights for copies',
    family: subAgentFamily,
    formula: 'M-GRPO with every invocation once and weight d/dₖ',
    source: 'ours, after Hong et al. 2025 (arXiv 2511.13288) §4',
    note: 'The same expected statistics without copies and without chance.',
    overrides: mgrpoAlignedBy('weighted'),
  },
  {
    id: 'mgrpoCode',
    label: 'M-GRPO, groups of its code',
    family: subAgentFamily,
    formula:
      'main: (R − mean)/(std + 1e-6) over the rollouts of a task; sub: the same over consecutive invocations of a queue; n − 1',
    source: 'AQ-MedAI/MrlX `agent_co_train` on slime',
    note: 'A group mixes tasks and rollouts. The code’s rewards differ from the paper’s, too; here they are the world’s.',
    overrides: { ...mgrpoAlignedBy('fifo'), 'estimator.ddof': 1 },
  },
];

const perBatch: readonly Recipe[] = [
  named('reinforceBatchMean', 'Baselines of the batch', {
    ...groupRelative,
    'estimator.scope': 'batch',
    'estimator.scale': 'none',
  }),
  named('reinforcePlusPlus', 'Baselines of the batch', {
    ...groupRelative,
    'estimator.scope': 'batch',
    'estimator.unit': 'step',
    'estimator.scale': 'batchStd',
    'estimator.epsilon': 1e-8,
  }),
];

/** Advantages by name, in the order of the form. */
export const estimatorRecipes: readonly Recipe[] = [
  ...perTask,
  ...perAgent,
  ...withSubAgents,
  ...perBatch,
  ...otherEstimatorRecipes,
];
