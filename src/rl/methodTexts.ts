/** What the methods page says of estimators and corrections that are no setting of `groupAdvantages`. */

export interface MethodText {
  readonly label: string;
  readonly formula: string;
  readonly source: string;
  /** What sets it apart, our default, and where sources differ. */
  readonly note: string;
}

const comlrl =
  'OpenMLRL/CoMLRL (arXiv 2508.04652), `reinforce-finetuning.md` and `magrpo.py`; the paper not verified';
const gigpoSource =
  'Feng et al. 2025 (arXiv 2505.10978); langfengQ/verl-agent `gigpo/core_gigpo.py`';
const gaeSource = 'Schulman et al. 2016 (arXiv 1506.02438) Eq. 16';

/** Estimators with statistics of their own. */
export const otherEstimators: readonly MethodText[] = [
  {
    label: 'LightningRL',
    formula:
      '(R − mean)/(std + ε) over the rollouts of a task, R the return of a rollout; the same for each of its calls',
    source:
      'Agent Lightning (arXiv 2508.03680); microsoft/agent-lightning `verl/rollout_level_advantage.py`',
    note: 'A rollout counts once however often it calls. Goes with the loss balance “rollouts equally”, `verl/per_rollout_loss.py`. Both are on by default there, both are choices here.',
  },
  {
    label: 'MAGRPO',
    formula:
      'G_t − mean over the joint samples of a task at the same turn; G_t = Σ γᵏ r_{t+k} of the joint reward, γ = 0.9',
    source: comlrl,
    note: 'All agents of a turn get the same advantage; no ratio, no clip, no std: choose the loss REINFORCE with it. CoMLRL grows a tree of K joint actions a turn, lets the mean return of the continuations stand for the later turns, and compares joint actions from one state; rollouts are independent here, so from the second turn on a group may mix states.',
  },
  {
    label: 'MARLOO',
    formula: 'G_t − mean of the other joint samples at the same turn',
    source: comlrl,
    note: 'MAGRPO with leave-one-out.',
  },
  {
    label: 'MAREMAX',
    formula: 'G_t − max over the joint samples at the same turn',
    source: comlrl,
    note: 'Never positive: the best of the group is the baseline.',
  },
  {
    label: 'GiGPO',
    formula:
      'A_E + w·A_S; A_E = (ΣR − mean)/(std + ε) over episodes, A_S the same over returns-to-go Σ γᵏ r of steps from the same state',
    source: gigpoSource,
    note: 'w = 1, γ = 0.95. Two modes, mean and mean with std; ours has the std by default, as SAMPO. A state visited once gives A_S = 0; the code keeps the raw return there. States are what an agent reads.',
  },
  {
    label: 'GiGPO within agents',
    formula: 'GiGPO with both groups within one agent',
    source: 'langfengQ/DrMAS, `group_by_agent_id`',
    note: 'Dr. MAS’s switch, applied to both levels.',
  },
  {
    label: 'Hierarchical GRPO',
    formula:
      'sub-agent: r − mean over its invocations in the same episode; main agent: r − mean over its trajectories in the task',
    source: 'PrimeIntellect-ai/prime-rl `orchestrator/algo/hierarchical_grpo.py`',
    note: 'Roles are never compared with each other. No std; a group of one gets 0. Only in worlds whose trajectories earn for themselves.',
  },
  {
    label: 'RAE',
    formula: 'r − b_role; after use b ← decay·b + (1 − decay)·r',
    source: 'SPIRAL (arXiv 2506.24119); PrimeIntellect-ai/prime-rl `orchestrator/algo/rae.py`',
    note: 'Baselines start at 0 and move with every sample, in order. 0.95 is prime-rl’s default and ours.',
  },
  {
    label: 'REINFORCE, moving baseline',
    formula: 'r − b; after the batch b ← decay·b + (1 − decay)·mean(r)',
    source: 'Williams 1992 §3',
    note: 'The baseline does not depend on the batch it is used on. The decay of 0.95 is ours.',
  },
  {
    label: 'MALT',
    formula:
      'V(turn) = mean of V(children), V(last) = R; A = V − mean of V over the branches from one state',
    source: 'MALT (arXiv 2412.01928), as described in secondary sources',
    note: 'Every turn is taken K times from its state and all go on. MALT labels turns by V > ½ and imitates them; in the form V is the reward that turns from one state are compared by, which is ours.',
  },
];

/** Estimators that ask a value network. */
export const criticEstimators: readonly MethodText[] = [
  {
    label: 'IPPO',
    formula:
      'Â_t = Σₗ (γλ)ˡ δ_{t+l}, δ_t = r_t + γV(s_{t+1}) − V(s_t), over the agent’s own steps; V reads its prompt',
    source: `${gaeSource}; marlbenchmark/on-policy`,
    note: 'γ = 1, λ = 0.95, whitened per agent with ε = 1e-5 as r_mappo. The outcome comes at the agent’s last step, a penalty at its own. One network for all agents, separate from the policies; its head starts at 0.',
  },
  {
    label: 'MAPPO',
    formula:
      'the same over all of the team’s steps; V reads the shared state, hidden answer included',
    source: `${gaeSource}; Yu et al. 2022 (arXiv 2103.01955); on-policy \`r_mappo.py\``,
    note: 'The team shares every penalty. Refused where trajectories earn different rewards: there is no team value then.',
  },
  {
    label: 'VDN baseline',
    formula: 'the same with V = Σₖ V(last prompt of agent k); ∂L/∂Vₖ is equal for all',
    source: 'Sunehag et al. 2017 (arXiv 1706.05296) §3; pymarl `modules/mixers/vdn.py`',
    note: 'VDN sums action values; here the sum is a baseline. An agent that has not acted yet is worth 0. An additive game is recovered, XOR is not.',
  },
  {
    label: 'V-trace',
    formula:
      'v_s = V_s + Σ γ^{t−s} (Π c_i) ρ_t δ_t; A = ρ_s (r_s + γ v_{s+1} − V_s); ρ = min(ρ̄, π/μ), c = λ·min(c̄, π/μ)',
    source: 'Espeholt et al. 2018 (arXiv 1802.01561) Eq. 1, §4.2',
    note: 'ρ̄ = c̄ = λ = 1. π is the policy the update starts from, μ the one that wrote the rollout; the ratio of the loss then starts at 1. rlax bootstraps from λv + (1 − λ)V, the same at λ = 1.',
  },
  {
    label: 'Value loss',
    formula: '½ max((V − R)², (clip(V, V_old ± c) − R)²), mean over steps',
    source: 'openai/baselines `ppo2/model.py`; verl `compute_value_loss`',
    note: 'The clip is off by default. AdamW, several steps on the whole batch.',
  },
];

/** What is done to losses, rewards and batches beside the surrogate. */
export const corrections: readonly MethodText[] = [
  {
    label: 'TIS, truncated importance weights',
    formula: 'token loss × min(π_old/π_sampler, C)',
    source: 'verl `rollout_is`, C = 2; V-trace’s ρ̄',
    note: 'π_old is recomputed by the trainer. By token, or by the product over a turn.',
  },
  {
    label: 'MIS, masked importance weights',
    formula: 'token loss × w if lo ≤ w ≤ C, else 0',
    source: 'IcePop; TRL `sequence_mask`, [0, 3]',
    note: 'What lies far off is left out instead of cut down.',
  },
  {
    label: 'Off-policy mask',
    formula: 'a turn with A < 0 is dropped if mean(log π_old − log π) > δ',
    source: 'TRL, slime (DeepSeek-V3.2)',
    note: 'Off by default.',
  },
  {
    label: 'KL estimators',
    formula:
      'd = log π − log π_ref; k1 = d, k2 = d²/2, k3 = e^{−d} − 1 + d; mix: value k3, gradient k2',
    source: 'Schulman 2020, “Approximating KL divergence”; verl `kl_penalty`',
    note: 'As a loss: E∇k1 = 0, E∇k2 = ∇KL(π‖ref), E∇k3 = ∇KL(ref‖π). As part of the reward only k1 pulls towards the reference on average. Log-ratios are bounded to ±20; verl bounds the value of k3 to ±10 besides.',
  },
  {
    label: 'Dynamic sampling',
    formula: 'groups whose rewards are all equal take no part in the update',
    source: 'DAPO (arXiv 2503.14476); verl `filter_groups`',
    note: 'Dropped groups are not drawn again; DAPO draws until the batch is full.',
  },
  {
    label: 'Overlong shaping',
    formula:
      'reward − max·(turns − (L − c))/c over the last c turns, L the most that the world allows',
    source: 'DAPO; verl `reward_manager/dapo.py`, in tokens, L = 20480, c = 4096',
    note: 'In turns here, because actions have a fixed length.',
  },
  {
    label: 'Loss balance',
    formula: 'w ∝ 1/n_(task, agent), mean 1; or each rollout’s own token mean',
    source: 'langfengQ/DrMAS `balance_loss_by_agent_freq`; agent-lightning `per_rollout_loss.py`',
    note: 'Off by default. Multiplies the surrogate, not entropy and KL. Versions of agent-lightning divide by the number of rollouts, as here, or of rows.',
  },
  {
    label: 'Tree sampling of AT-GRPO',
    formula:
      'K branches at every turn from the same state, the best continues; score α·team + local, α = 1',
    source:
      'Stronger-MAS (arXiv 2510.11062), as described in secondary sources; code of pettingllms',
    note: 'The local reward is a scripted oracle’s. Success of the rollouts is that of the trunk, best of K at every turn; evaluation is the policy’s own.',
  },
  {
    label: 'Stale rollouts',
    formula: 'learned from k iterations after the policy that wrote them',
    source: 'ours; IMPALA’s pipeline',
    note: 'The first k + 1 batches come from the policy that the run starts with.',
  },
  {
    label: 'SAMPO',
    formula:
      'GiGPO (mean and std, γ = 0.95, w = 1) + GSPO (3e-3/4e-3) + dynamic sampling + 0.01·k3',
    source: 'ARLArena (arXiv 2602.21534); WillDreamer/ARL-Arena `recipe/shop_agent`',
    note: 'A combination of four choices, each of which is a field of its own.',
  },
  {
    label: 'Entropulse',
    formula:
      'mean token entropy < h_min (or a period): n cross-entropy steps on own successes of all earlier policies, then reinforcement again',
    source: 'ComputerRL (arXiv 2508.14040), as described in secondary sources',
    note: 'Task-balanced, without repetitions; the control learns from the latest iteration alone. Bound and steps are ours.',
  },
  {
    label: 'Failure-tag weights',
    formula:
      'A × clamp(mean over the trajectory’s turns of w[tag], 0.5, 2); w moves by base·(1 + α·prevalence·stagnation·confidence)',
    source: 'SEAL (arXiv 2605.24426), from the authors’ code `apatch.py`, `state.py`',
    note: 'Tags are a scripted oracle’s: passed, unreadable, wrong call, wrong content. β = 0.25, α = 1, 32 turns.',
  },
];
