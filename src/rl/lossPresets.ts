import type { SurrogateSpec } from './surrogateLoss';

export type LossPresetName =
  | 'grpo'
  | 'drGrpo'
  | 'drMas'
  | 'dapo'
  | 'gspo'
  | 'gspoToken'
  | 'cispoAbsolute'
  | 'cispoBand'
  | 'sapo'
  | 'reinforce';

/** A policy loss as a paper or a library sets it. */
export interface LossPreset {
  readonly spec: SurrogateSpec;
  readonly label: string;
  /** Per token, to be minimised, then how tokens are averaged. */
  readonly formula: string;
  readonly source: string;
  /** What sets it apart, and where sources differ. */
  readonly note: string;
}

/** The policy losses by name. `maxTokens` > 0: the longest possible sequence, the constant divisor of Dr. GRPO. Unit: tokens. */
export function lossPresets(maxTokens: number): Readonly<Record<LossPresetName, LossPreset>> {
  return { ...tokenRatioPresets(maxTokens), ...sequenceRatioPresets, ...softPresets };
}

const clipFormula = 'max(−Aρ, −A·clip(ρ, 1 − clipLow, 1 + clipHigh))';

function tokenRatioPresets(
  maxTokens: number,
): Record<'grpo' | 'drGrpo' | 'drMas' | 'dapo', LossPreset> {
  const clip = { kind: 'clip', clipLow: 0.2, clipHigh: 0.2, dualClip: null } as const;
  return {
    grpo: {
      spec: { ...clip, aggregation: { kind: 'sequenceMean' } },
      label: 'GRPO',
      formula: `${clipFormula}; mean over sequences of their token mean`,
      source: 'Shao et al. 2024 (arXiv 2402.03300) Eq. 3',
      note: 'A token of a long sequence counts less than one of a short sequence. The KL term is separate.',
    },
    drGrpo: {
      spec: { ...clip, aggregation: { kind: 'constantLength', length: maxTokens } },
      label: 'Dr. GRPO',
      formula: `${clipFormula}; Σ / (number of sequences · longest length)`,
      source: 'Liu et al. 2025 (arXiv 2503.20783) §3.2',
      note: 'A constant divisor: no bias towards long wrong answers. Goes with advantages that are not divided by the std.',
    },
    drMas: {
      spec: { ...clip, dualClip: 3, aggregation: { kind: 'tokenMean' } },
      label: 'Dr. MAS',
      formula: `${clipFormula}, at most −3A for A < 0; mean over all tokens`,
      source:
        'Feng et al. 2026 (arXiv 2602.08847) App. B and langfengQ/DrMAS; dual clip: arXiv 1912.09729 Eq. 5',
      note: 'What is new in Dr. MAS is the advantage; this is the loss of verl that its code uses.',
    },
    dapo: {
      spec: { ...clip, clipHigh: 0.28, aggregation: { kind: 'tokenMean' } },
      label: 'DAPO',
      formula: `${clipFormula} with clipHigh > clipLow; mean over all tokens`,
      source: 'Yu et al. 2025 (arXiv 2503.14476) Eq. 8',
      note: 'Clip-higher lets unlikely tokens grow. Goes with dynamic sampling, overlong shaping and no KL term.',
    },
  };
}

const gspoClip = { clipLow: 3e-4, clipHigh: 4e-4, aggregation: { kind: 'sequenceMean' } } as const;

const sequenceRatioPresets: Record<'gspo' | 'gspoToken', LossPreset> = {
  gspo: {
    spec: { kind: 'gspo', ...gspoClip },
    label: 'GSPO',
    formula:
      'max(−As, −A·clip(s, 1 − clipLow, 1 + clipHigh)) with s = exp(mean over tokens of log ρ); mean over sequences',
    source: 'As described in Zheng et al. 2025 (arXiv 2507.18071); ranges as TRL quotes them',
    note: 'A clipped sequence loses the gradient of all its tokens. The ranges are far narrower than those of a token ratio.',
  },
  gspoToken: {
    spec: { kind: 'gspoToken', ...gspoClip },
    label: 'GSPO-token',
    formula:
      'GSPO with s written as sg[s]·π/sg[π] for each token; mean over sequences of their token mean',
    source: 'As described in Zheng et al. 2025 (arXiv 2507.18071); verl `compute_policy_loss_gspo`',
    note: 'The same gradient as GSPO when the advantage and the weight are constant over the sequence.',
  },
};

const softPresets: Record<'cispoAbsolute' | 'cispoBand' | 'sapo' | 'reinforce', LossPreset> = {
  cispoAbsolute: {
    spec: {
      kind: 'cispo',
      bounds: { kind: 'absoluteHigh', high: 5 },
      aggregation: { kind: 'tokenMean' },
    },
    label: 'CISPO (absolute cap)',
    formula: '−sg[min(ρ, 5)]·A·log π; mean over all tokens',
    source: 'As described for MiniMax-M1 (arXiv 2506.13585); TRL `loss_type="cispo"`',
    note: 'The cap is the ratio itself, without a lower bound. A token beyond it keeps a gradient.',
  },
  cispoBand: {
    spec: {
      kind: 'cispo',
      bounds: { kind: 'band', clipLow: 0.2, clipHigh: 0.28 },
      aggregation: { kind: 'tokenMean' },
    },
    label: 'CISPO (band)',
    formula: '−sg[clip(ρ, 1 − clipLow, 1 + clipHigh)]·A·log π; mean over all tokens',
    source:
      'As described for MiniMax-M1 (arXiv 2506.13585); verl `compute_policy_loss_cispo`, slime',
    note: 'The bounds are distances from 1, as in PPO. A token outside keeps a gradient.',
  },
  sapo: {
    spec: {
      kind: 'sapo',
      tauPositive: 1,
      tauNegative: 1.05,
      aggregation: { kind: 'sequenceMean' },
    },
    label: 'SAPO',
    formula: '−A·(4/τ)·σ(τ(ρ − 1)); mean over sequences of their token mean',
    source:
      'As described in Gao et al. 2025 (arXiv 2511.20347); TRL, verl `compute_policy_loss_sapo`',
    note: 'A soft gate in place of the clip, narrower for A < 0: gradients fade instead of vanishing at a bound.',
  },
  reinforce: {
    spec: {
      kind: 'cispo',
      bounds: { kind: 'band', clipLow: 0, clipHigh: 0 },
      aggregation: { kind: 'tokenMean' },
    },
    label: 'REINFORCE',
    formula: '−A·log π; mean over all tokens',
    source: 'Williams 1992; MAGRPO (arXiv 2508.04652) trains with it',
    note: 'CISPO with the weight held at 1. Unbiased only in the first update after a rollout; the clip fraction then counts every token that has moved.',
  },
};
