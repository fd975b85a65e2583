import type { Recipe } from './recipe';

/** Advantages that are no statistic of one group of samples. */

type Overrides = Recipe['overrides'];

const parallel = { 'groups.sampling': 'parallel' } as const;

const comparison = {
  'estimator.center': 'mean',
  'estimator.scale': 'std',
  'estimator.ddof': 1,
  'estimator.epsilon': 1e-6,
  'estimator.minStd': 1e-6,
  'estimator.singleton': 'zero',
} as const;

const momentFamily = 'Baselines that move';
const jointFamily = 'Rollouts, turns and states';
const criticFamily = 'Critics';

export const lightningRl: Overrides = { 'estimator.kind': 'rollout', ...comparison, ...parallel };

export const magrpo: Overrides = {
  'estimator.kind': 'turnReturn',
  'estimator.gamma': 0.9,
  ...comparison,
  'estimator.scale': 'none',
  ...parallel,
};

export const gigpoMeanStd: Overrides = {
  'estimator.kind': 'gigpo',
  'estimator.isPerAgent': false,
  'estimator.mode': 'meanStdNorm',
  'estimator.gamma': 0.95,
  'estimator.stepWeight': 1,
  'estimator.ddof': 1,
  'estimator.epsilon': 1e-6,
  'estimator.minStd': 1e-6,
  ...parallel,
};

const gae: Overrides = {
  'estimator.kind': 'gae',
  'estimator.critic': 'own',
  'estimator.gaeLambda': 0.95,
  'estimator.isWhitened': true,
  ...parallel,
};

export const ippo: Overrides = gae;
export const mappo: Overrides = { ...gae, 'estimator.critic': 'state' };

export const impala: Overrides = {
  'estimator.kind': 'vtrace',
  'estimator.critic': 'own',
  'estimator.traceLambda': 1,
  'estimator.clipRho': 1,
  'estimator.clipC': 1,
  'estimator.clipPgRho': 1,
  'estimator.isWhitened': false,
  ...parallel,
};

const gigpoSource =
  'Feng et al. 2025 (arXiv 2505.10978), formula as in langfengQ/verl-agent `gigpo/core_gigpo.py`, not verified against the primary text';
const mappoSource = 'Yu et al. 2022 (arXiv 2103.01955); on-policy `r_mappo.py`';
const magrpoSource = 'CoMLRL (arXiv 2508.04652), documentation `reinforce-finetuning.md`';

const moving: readonly Recipe[] = [
  {
    id: 'reinforceMoving',
    label: 'REINFORCE, moving baseline',
    family: momentFamily,
    formula: 'A = r − b; then b ← 0.95·b + 0.05·mean(r) of the iteration',
    source: 'Williams 1992 §3 (reinforcement comparison)',
    note: 'The baseline does not depend on the batch that it is used on. The decay of 0.95 is ours.',
    overrides: {
      'estimator.kind': 'movingBaseline',
      'estimator.baselineOf': 'batch',
      'estimator.decay': 0.95,
      ...parallel,
    },
  },
  {
    id: 'rae',
    label: 'RAE (SPIRAL)',
    family: momentFamily,
    formula: 'A = r − b of the role; then b ← 0.95·b + 0.05·r',
    source:
      'SPIRAL (Liu et al. 2025, arXiv 2506.24119), formula as in prime-rl `orchestrator/algo/rae.py`, not verified against the primary text',
    note: '0.95 is prime-rl’s default. Baselines start at 0.',
    overrides: {
      'estimator.kind': 'movingBaseline',
      'estimator.baselineOf': 'role',
      'estimator.decay': 0.95,
      ...parallel,
    },
  },
];

const joint: readonly Recipe[] = [
  {
    id: 'lightningRl',
    label: 'LightningRL, statistics per rollout',
    family: jointFamily,
    formula:
      '(R − mean)/(std + 1e-6) over the rollouts of a task, each once; all calls of a rollout get its A',
    source:
      'Luo et al. 2025 (arXiv 2508.03680), formula as in microsoft/agent-lightning `verl/rollout_level_advantage.py`, not verified against the primary text',
    note: 'Its code also balances the loss by rollout: the method Agent Lightning sets both. A group of one gets 0.',
    overrides: lightningRl,
  },
  {
    id: 'magrpo',
    label: 'MAGRPO',
    family: jointFamily,
    formula: 'Gₜ − mean of Gₜ over the joint rollouts of a task at turn t; γ = 0.9',
    source: magrpoSource,
    note: 'Every agent of a turn gets the same A. Goes with a loss without a ratio.',
    overrides: magrpo,
  },
  {
    id: 'marloo',
    label: 'MARLOO',
    family: jointFamily,
    formula: 'Gₜ − mean of the others’ Gₜ at turn t; γ = 0.9',
    source: magrpoSource,
    note: 'MAGRPO with the leave-one-out baseline.',
    overrides: { ...magrpo, 'estimator.center': 'leaveOneOut' },
  },
  {
    id: 'maremax',
    label: 'MAREMAX',
    family: jointFamily,
    formula: 'Gₜ − max of Gₜ at turn t; γ = 0.9',
    source: magrpoSource,
    note: 'MAGRPO with the best of the group as baseline: never positive.',
    overrides: { ...magrpo, 'estimator.center': 'max' },
  },
  {
    id: 'gigpo',
    label: 'GiGPO, mean and std',
    family: jointFamily,
    formula:
      'A_E + A_S; both (x − mean)/(std + 1e-6), A_S over the returns-to-go (γ = 0.95) from the same state',
    source: `\`mean_std_norm\` of ${gigpoSource}`,
    note: 'A state that no other step acted on gives A_S = 0.',
    overrides: gigpoMeanStd,
  },
  {
    id: 'gigpoMean',
    label: 'GiGPO, mean',
    family: jointFamily,
    formula: 'A_E + A_S; both x − mean, A_S over the returns-to-go (γ = 0.95) from the same state',
    source: `\`mean_norm\` of ${gigpoSource}`,
    note: 'Nothing is divided by a std.',
    overrides: { ...gigpoMeanStd, 'estimator.mode': 'meanNorm' },
  },
  {
    id: 'gigpoPerAgent',
    label: 'GiGPO within each agent',
    family: jointFamily,
    formula: 'GiGPO, mean and std, with both groups within one agent',
    source: 'langfengQ/DrMAS, `group_by_agent_id`',
    note: 'Agent-wise normalization of Dr. MAS at both levels.',
    overrides: { ...gigpoMeanStd, 'estimator.isPerAgent': true },
  },
  {
    id: 'hierarchicalGrpo',
    label: 'Hierarchical GRPO',
    family: jointFamily,
    formula:
      'sub-agent: r − mean within its episode; main agent: r − mean over the task’s rollouts',
    source: 'prime-rl `orchestrator/algo/hierarchical_grpo.py`',
    note: 'A group of one gets 0. Only where agents call sub-agents.',
    overrides: { 'estimator.kind': 'hierarchical', ...parallel },
  },
];

const critics: readonly Recipe[] = [
  {
    id: 'ippo',
    label: 'IPPO',
    family: criticFamily,
    formula: 'GAE with λ = 0.95 and V(own prompt), whitened over each agent’s steps',
    source: mappoSource,
    note: 'γ, value clip and the critic’s optimizer stay as the form has them. Goes with the PPO clip.',
    overrides: ippo,
  },
  {
    id: 'mappo',
    label: 'MAPPO',
    family: criticFamily,
    formula: 'GAE with λ = 0.95 and V(shared state), whitened over each agent’s steps',
    source: mappoSource,
    note: 'The critic sees what is hidden from the agents. Needs one reward for the team.',
    overrides: mappo,
  },
  {
    id: 'vdn',
    label: 'VDN critic',
    family: criticFamily,
    formula: 'GAE with λ = 0.95 and V = Σₖ V(agent k’s last prompt)',
    source: 'Sunehag et al. 2017 (arXiv 1706.05296) §3; pymarl `vdn.py`',
    note: 'The paper adds up action values and acts by them; here the sum of state values is a baseline. Needs one reward for the team.',
    overrides: { ...gae, 'estimator.critic': 'sum' },
  },
  {
    id: 'vtrace',
    label: 'V-trace (IMPALA)',
    family: criticFamily,
    formula: 'min(1, π/μ)·(rₜ + γvₜ₊₁ − Vₜ) with V-trace targets v, ρ̄ = c̄ = 1, λ = 1',
    source: 'Espeholt et al. 2018 (arXiv 1802.01561) Eq. 1, §4.2',
    note: 'Not whitened. Tells from GAE only where rollouts are stale: then take π_old recomputed, or a loss without a ratio.',
    overrides: impala,
  },
];

export const otherEstimatorRecipes: readonly Recipe[] = [...moving, ...joint, ...critics];
