import { lossPresets } from '../rl/lossPresets';
import type { DetailsTable } from './field';

/** The sources of the losses do not depend on the longest length. */
const { cispoAbsolute, cispoBand, gspo, gspoToken, sapo } = lossPresets(1);

const grpo = 'GRPO: Shao et al. 2024 (arXiv 2402.03300)';
const schulman = 'Schulman 2020, “Approximating KL divergence”';
const tis =
  'verl `rollout_is`; ρ̄ of V-trace (arXiv 1802.01561 Eq. 1) applied to sampler and trainer';

/** Formula and source of every choice of the loss. ρ = π/π_old of a token, A its advantage, w a constant weight; minimised. */
export const lossDetails = {
  'loss.kind': {
    clip: {
      formula: 'max(−Aρ, −A·clip(ρ, 1 − low, 1 + high)); with dual clip c at most −cA for A < 0',
      source:
        'PPO: Schulman et al. 2017 (arXiv 1707.06347) Eq. 7; low ≠ high: DAPO (arXiv 2503.14476) Eq. 8; dual clip: Ye et al. 2020 (arXiv 1912.09729) Eq. 5',
    },
    gspo: {
      formula:
        'max(−As, −A·clip(s, 1 − low, 1 + high)), s = exp(mean over the turn’s tokens of log ρ)',
      source: gspo.source,
      note: gspo.note,
    },
    gspoToken: {
      formula: 'GSPO with s written as sg[s]·π/sg[π] for each token',
      source: gspoToken.source,
      note: gspoToken.note,
    },
    cispoAbsolute: {
      formula: '−sg[min(ρ, cap)]·A·log π',
      source: cispoAbsolute.source,
      note: cispoAbsolute.note,
    },
    cispoBand: {
      formula: '−sg[clip(ρ, 1 − low, 1 + high)]·A·log π',
      source: cispoBand.source,
      note: 'A token outside keeps a gradient. With both bounds 0 it is REINFORCE: −A·log π.',
    },
    sapo: { formula: '−A·(4/τ)·σ(τ(ρ − 1))', source: sapo.source, note: sapo.note },
  },
  'loss.aggregation': {
    tokenMean: {
      formula: 'Σ token losses / number of tokens',
      source: 'DAPO (arXiv 2503.14476) Eq. 8; verl `token-mean`; Dr. MAS',
    },
    sequenceMean: {
      formula: 'mean over turns of the mean over their tokens',
      source: `${grpo} Eq. 3; verl \`seq-mean-token-mean\``,
    },
    constantLength: {
      formula: 'Σ token losses / (number of turns · longest length)',
      source: 'Dr. GRPO: Liu et al. 2025 (arXiv 2503.20783) §3.2',
    },
  },
  'loss.balance': {
    none: { formula: 'w = 1', source: 'verl, TRL' },
    agentFrequency: {
      formula: 'w ∝ 1/n of the turn’s task and agent, mean 1',
      source: 'langfengQ/DrMAS `balance_loss_by_agent_freq`',
    },
    rollout: {
      formula: 'w = all tokens / (rollouts · tokens of the turn’s rollout)',
      source:
        'Luo et al. 2025 (arXiv 2508.03680), formula as in microsoft/agent-lightning `verl/per_rollout_loss.py`, not verified against the primary text',
    },
  },
  'loss.refKlEstimator': {
    k1: {
      formula: 'd = log π − log π_ref',
      source: schulman,
      note: 'Unbiased, of either sign. In the loss its gradient is 0 on average; in the reward it gives that of KL(π ‖ ref).',
    },
    k2: {
      formula: 'd²/2',
      source: schulman,
      note: 'In the loss: the gradient of KL(π ‖ ref).',
    },
    k3: {
      formula: 'e⁻ᵈ − 1 + d',
      source: `${schulman}; ${grpo} Eq. 4`,
      note: 'Unbiased, never negative. In the loss: the gradient of KL(ref ‖ π); in the reward it pulls away from the reference.',
    },
    k3ValueK2Gradient: {
      formula: 'k2 − sg[k2] + sg[k3]',
      source: '`k3+` of verl `core_algos.py::kl_penalty`',
      note: 'The value of k3, bounded to ±10 nats, with the gradient of KL(π ‖ ref).',
    },
  },
  'loss.refKlIn': {
    loss: { formula: 'loss + β·KL estimate', source: `${grpo} Eq. 3` },
    reward: {
      formula: 'r − β·Σ KL estimate over the turn’s tokens',
      source: 'Ziegler et al. 2019 (arXiv 1909.08593) §2; verl `apply_kl_penalty`',
      note: 'Only with k1 is the expected gradient that of −β·KL(π ‖ ref).',
    },
  },
  'loss.oldLogprobs': {
    sampler: { formula: 'ρ = π/π_sampler', source: 'PPO: Schulman et al. 2017 (arXiv 1707.06347)' },
    trainer: {
      formula: 'ρ = π/π_start, the policy that the update starts from',
      source: 'verl `old_log_prob`, recomputed before the update',
    },
  },
  'loss.samplerCorrection': {
    none: { formula: 'w = 1', source: 'GRPO, Dr. MAS' },
    tokenTruncate: { formula: 'w = min(π_old/π_sampler, high)', source: tis },
    tokenMask: {
      formula: 'w = π_old/π_sampler inside [low, high], 0 outside',
      source: 'IcePop, as in OpenRLHF',
    },
    sequenceTruncate: { formula: 'w = min(Π π_old/π_sampler over the turn, high)', source: tis },
    sequenceMask: {
      formula: 'w = Π π_old/π_sampler over the turn inside [low, high], 0 outside',
      source: 'TRL `sequence_mask`, [0, 3]',
    },
  },
} as const satisfies DetailsTable;
