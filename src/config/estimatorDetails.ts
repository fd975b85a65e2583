import type { DetailsTable } from './field';

const grpo = 'GRPO: Shao et al. 2024 (arXiv 2402.03300) §4.1';
const drMas = 'Feng et al. 2026 (arXiv 2602.08847)';
const drMasCode = 'langfengQ/DrMAS `compute_grpo_outcome_advantage`';
const mgrpo = 'Hong et al. 2025 (arXiv 2511.13288) §4';
const mappo = 'Yu et al. 2022 (arXiv 2103.01955); on-policy `r_mappo.py`';
const rae =
  'SPIRAL (Liu et al. 2025, arXiv 2506.24119), formula as in prime-rl `orchestrator/algo/rae.py`, not verified against the primary text';
const gigpo =
  'Feng et al. 2025 (arXiv 2505.10978), formula as in langfengQ/verl-agent `gigpo/core_gigpo.py`, not verified against the primary text';
const plusPlusBaseline = 'verl `compute_reinforce_plus_plus_baseline_outcome_advantage`';

/** Formula and source of every choice of the estimator. r is a sample’s score, k an agent, μ and σ mean and std of a group. */
export const estimatorDetails = {
  'estimator.kind': {
    group: {
      formula: 'A = (r − baseline)/(divisor + ε) within a group',
      source: `${grpo}; Dr. MAS: ${drMas} §4.2`,
      note: 'Group, sample, baseline and divisor are the settings below.',
    },
    rollout: {
      formula:
        'A = (R − mean)/(std + ε) over the rollouts of a task, each once; all calls of a rollout get its A',
      source:
        'LightningRL: Luo et al. 2025 (arXiv 2508.03680), formula as in microsoft/agent-lightning `verl/rollout_level_advantage.py`, not verified against the primary text',
    },
    turnReturn: {
      formula:
        'Gₜ = Σ γⁿ rₜ₊ₙ; A = Gₜ − mean of Gₜ over the rollouts of a task at turn t, the same for all agents',
      source: 'MAGRPO: CoMLRL (arXiv 2508.04652), documentation `reinforce-finetuning.md`',
      note: 'MARLOO and MAREMAX change the baseline.',
    },
    gigpo: {
      formula:
        'A = A_E + w·A_S; A_E over the task’s episode returns, A_S over the returns-to-go from the same state',
      source: gigpo,
      note: 'A state that no other step acted on gives A_S = 0.',
    },
    hierarchical: {
      formula:
        'sub-agent: r − mean within its episode; main agent: r − mean over the task’s rollouts',
      source: 'prime-rl `orchestrator/algo/hierarchical_grpo.py`',
      note: 'Mean only. A group of one gets 0.',
    },
    movingBaseline: {
      formula: 'A = r − b; then b ← decay·b + (1 − decay)·r',
      source: `${rae}; one baseline for all: Williams 1992 §3`,
    },
    gae: {
      formula: 'A = Σ (γλ)ⁿ δₜ₊ₙ with δₜ = rₜ + γVₜ₊₁ − Vₜ',
      source: 'Schulman et al. 2016 (arXiv 1506.02438) Eq. 16',
    },
    vtrace: {
      formula:
        'A = min(ρ̄, π/μ)·(rₜ + γvₜ₊₁ − Vₜ); vₛ = Vₛ + Σ γᵗ⁻ˢ (Π cᵢ) ρₜ (rₜ + γVₜ₊₁ − Vₜ), cᵢ = λ·min(c̄, π/μ)',
      source: 'IMPALA: Espeholt et al. 2018 (arXiv 1802.01561) Eq. 1, Remark 2, §4.2',
      note: 'μ is the policy that sampled.',
    },
  },
  'estimator.scope': {
    task: { formula: '(r − μ)/(σ + ε) over all samples of a task', source: grpo },
    taskAgent: {
      formula: '(r − μₖ)/(σₖ + ε) over agent k’s samples of a task',
      source: `${drMas} §4.2; key (prompt, agent): ${drMasCode}`,
    },
    taskAgentMeanOnly: { formula: '(r − μₖ)/(σ + ε)', source: `${drMas} Table 3` },
    taskAgentStdOnly: {
      formula: '(r − μ)/(σₖ + ε)',
      source: `${drMas} Table 3`,
      note: 'Nothing centres the numerator where an agent’s rewards are all equal: only the smallest std guards it.',
    },
    taskAgentTurn: {
      formula: '(r − mean)/(std + ε) over one agent’s steps at one turn of a task',
      source:
        'AT-GRPO: Stronger-MAS (arXiv 2510.11062), key as in pettingllms `_assign_consistent_uids`; not verified against the primary text',
      note: 'With parallel rollouts the states differ from turn 1 on, and groups may shrink to one.',
    },
    batch: { formula: 'mean and std over all samples of the iteration', source: 'Williams 1992' },
  },
  'estimator.unit': {
    trajectory: {
      formula: 'r = mean of the scores of the trajectory’s steps, counted once',
      source: `${drMasCode}, its global mode`,
      note: 'Within an agent: of the agent’s steps in the trajectory. An invocation of a sub-agent is a trajectory of its own. The mixed scopes pool the agent’s statistic over its steps.',
    },
    step: {
      formula: 'r = the step’s own score; n steps count n times',
      source: `${drMas} §4.2; ${drMasCode}, its agent-wise mode`,
    },
  },
  'estimator.center': {
    mean: { formula: 'r − mean of the group', source: grpo },
    leaveOneOut: {
      formula: 'r − mean of the others = n/(n − 1)·(r − mean)',
      source: 'RLOO: Ahmadian et al. 2024 (arXiv 2402.14740)',
    },
    max: {
      formula: 'r − max of the group',
      source: 'MAREMAX: CoMLRL (arXiv 2508.04652) documentation',
      note: 'Never positive.',
    },
    none: { formula: 'r', source: 'Williams 1992' },
  },
  'estimator.scale': {
    std: { formula: '(r − baseline)/(std + ε)', source: grpo },
    groupMean: {
      formula: '(r − baseline)/mean; 0 if the mean is not positive',
      source: 'MaxRL: prime-rl `algo/max_rl.py`',
    },
    batchStd: {
      formula: 'x = r − baseline; (x − mean of x)/√(var of x + ε) over the batch',
      source: `REINFORCE++-baseline: ${plusPlusBaseline}`,
    },
    none: { formula: 'r − baseline', source: 'Dr. GRPO: Liu et al. 2025 (arXiv 2503.20783) §3.2' },
  },
  'estimator.ddof': {
    '1': {
      formula: 'σ² = Σ(r − μ)²/(n − 1)',
      source: '`torch.std`: verl, TRL, slime, Dr. MAS code',
    },
    '0': {
      formula: 'σ² = Σ(r − μ)²/n',
      source: `as printed: ${drMas} §4.2; ${mgrpo}`,
    },
  },
  'estimator.singleton': {
    zero: { formula: 'A = 0', source: 'TRL `GRPOTrainer`' },
    raw: { formula: 'mean 0, std 1: A = r/(1 + ε)', source: `verl; ${drMasCode}` },
  },
  'estimator.alignment': {
    none: {
      formula: null,
      source: 'Dr. MAS’s groups, in M-GRPO’s words',
      note: 'A rollout with more invocations weighs more in the statistics and in the loss.',
    },
    duplicateDrop: {
      formula:
        'd of rollout k’s dₖ invocations: random ones twice where dₖ < d, random ones left out where dₖ > d',
      source: mgrpo,
      note: 'A rollout without an invocation (dₖ = 0, undefined in the paper) has no sample.',
    },
    weighted: {
      formula: 'every invocation once, with weight d/dₖ',
      source: 'ours',
      note: 'The expected statistics of duplicating and dropping, without copies and without chance.',
    },
    fifo: {
      formula: null,
      source: 'public code: AQ-MedAI/MrlX `agent_co_train`',
      note: 'As many invocations as the group size form a group in the order of a queue, whatever task they come from.',
    },
  },
  'estimator.mode': {
    meanNorm: { formula: 'r − mean', source: `\`mean_norm\` of ${gigpo}` },
    meanStdNorm: { formula: '(r − mean)/(std + ε)', source: `\`mean_std_norm\` of ${gigpo}` },
  },
  'estimator.baselineOf': {
    role: { formula: 'A = r − b of the role, updated sample by sample', source: `RAE: ${rae}` },
    batch: {
      formula: 'A = r − b; then b ← decay·b + (1 − decay)·mean(r)',
      source: 'Williams 1992 §3 (reinforcement comparison)',
    },
  },
  'estimator.critic': {
    own: { formula: 'V(own prompt); rewards of the agent’s own steps', source: `IPPO: ${mappo}` },
    state: { formula: 'V(state); rewards of the whole team', source: `MAPPO: ${mappo}` },
    sum: {
      formula: 'V = Σₖ V(agent k’s last prompt)',
      source: 'VDN: Sunehag et al. 2017 (arXiv 1706.05296) §3; pymarl `vdn.py`',
      note: 'The paper adds up action values Q; here state values serve as a baseline.',
    },
  },
} as const satisfies DetailsTable;
