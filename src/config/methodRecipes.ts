import { drGrpo, drMasCode, globalStep, groupRelative } from './estimatorRecipes';
import { clipHigher, constantLength, dualClip, gspo, ppoClip, reinforce } from './lossRecipes';
import { gigpoMeanStd, impala, ippo, lightningRl, magrpo, mappo } from './otherEstimatorRecipes';
import type { Recipe } from './recipe';

const grpoFamily = 'From one group';
const teamFamily = 'For teams';
const criticFamily = 'With a critic';

const noPenalty = { 'loss.refKlCoef': 0 } as const;

/** What a paper or a library trains with: an estimator, its loss, and what goes with both. */
export const methodRecipes: readonly Recipe[] = [
  {
    id: 'dapo',
    label: 'DAPO',
    family: grpoFamily,
    formula:
      'GRPO’s A; clip 0.8 to 1.28, mean over all tokens; groups of equal rewards dropped; −1 for an episode that takes its last turn',
    source:
      'Yu et al. 2025 (arXiv 2503.14476), as in verl `docs/algo/dapo.md`, `reward_manager/dapo.py`; not verified against the primary text',
    note: 'There L = 20480 and c = 4096 tokens; here c is one turn, because actions have a fixed length. Dropped tasks are not drawn again. No KL.',
    overrides: {
      ...groupRelative,
      ...clipHigher,
      ...noPenalty,
      'loss.dynamicSampling': true,
      'loss.overlongTurns': 1,
      'loss.overlongPenalty': 1,
    },
  },
  {
    id: 'drGrpoMethod',
    label: 'Dr. GRPO',
    family: grpoFamily,
    formula: 'A = r − mean; clip 0.8 to 1.2; Σ tokens / (turns · longest length)',
    source:
      'Liu et al. 2025 (arXiv 2503.20783) §3.2; sail-sg/understand-r1-zero `train_zero_math.py`',
    note: 'Neither the std nor the length of an answer divides.',
    overrides: { ...drGrpo, ...constantLength },
  },
  {
    id: 'entropulse',
    label: 'ComputerRL with Entropulse',
    family: grpoFamily,
    formula:
      'GRPO over all steps of a task; cross-entropy on own successes when token entropy falls',
    source:
      'ComputerRL (arXiv 2508.14040), as described in secondary sources; not verified against the primary text',
    note: 'Entropy bound, length and learning rate of a pulse are ours.',
    overrides: { ...globalStep, 'pulses.kind': 'entropy', 'pulses.source': 'all' },
  },
  {
    id: 'drMasMethod',
    label: 'Dr. MAS, as in its code',
    family: teamFamily,
    formula:
      '(r − μₖ)/(σₖ + 1e-6) over agent k’s steps; clip 0.8 to 1.2, dual clip 3, mean over all tokens',
    source: 'Feng et al. 2026 (arXiv 2602.08847) §4.2, App. B; langfengQ/DrMAS `run_math.sh`',
    note: 'No KL and no entropy bonus, as its script for math. Gradient clip 1.0 there; set it at the policies.',
    overrides: {
      ...drMasCode,
      ...dualClip,
      ...noPenalty,
      'loss.entropyCoef': 0,
      'loss.balance': 'none',
    },
  },
  {
    id: 'sampo',
    label: 'SAMPO (ARLArena)',
    family: teamFamily,
    formula:
      'GiGPO’s A (γ = 0.95, w = 1, mean and std); GSPO clip 0.997 to 1.004; groups of equal rewards dropped; + 0.01·k3',
    source:
      'ARLArena (arXiv 2602.21534), code WillDreamer/ARL-Arena `recipe/shop_agent/ppo/ray_trainer.py` and its script; not verified against the primary text',
    note: 'Its script has groups of 8 and drops groups from step 15 on; here from the start.',
    overrides: {
      ...gigpoMeanStd,
      ...gspo,
      'loss.clipLow': 3e-3,
      'loss.clipHigh': 4e-3,
      'loss.dynamicSampling': true,
      'loss.refKlCoef': 0.01,
      'loss.refKlEstimator': 'k3',
      'loss.refKlIn': 'loss',
    },
  },
  {
    id: 'agentLightning',
    label: 'Agent Lightning (LightningRL)',
    family: teamFamily,
    formula:
      'statistics once per rollout, handed to its calls; the loss is the mean of each rollout’s token mean',
    source:
      'Luo et al. 2025 (arXiv 2508.03680), formula as in microsoft/agent-lightning `verl/rollout_level_advantage.py`, `verl/per_rollout_loss.py`, not verified against the primary text',
    note: 'Both are on by default there. The clip is verl’s default.',
    overrides: { ...lightningRl, ...dualClip, 'loss.balance': 'rollout' },
  },
  {
    id: 'magrpoMethod',
    label: 'MAGRPO',
    family: teamFamily,
    formula: 'A = Gₜ − mean of Gₜ at turn t, γ = 0.9; −A·log π, no ratio, no clip',
    source: 'CoMLRL (arXiv 2508.04652), documentation `reinforce-finetuning.md`',
    note: 'All agents of a turn get the same A. Unbiased only in the first update after a rollout.',
    overrides: { ...magrpo, ...reinforce },
  },
  {
    id: 'ippoMethod',
    label: 'IPPO',
    family: criticFamily,
    formula: 'GAE with V(own prompt), whitened per agent; clip 0.8 to 1.2',
    source: 'Yu et al. 2022 (arXiv 2103.01955); on-policy `r_mappo.py`',
    note: 'γ, value clip, epochs and the critic’s optimizer stay as the form has them.',
    overrides: { ...ippo, ...ppoClip },
  },
  {
    id: 'mappoMethod',
    label: 'MAPPO',
    family: criticFamily,
    formula: 'GAE with V(shared state), whitened per agent; clip 0.8 to 1.2',
    source: 'Yu et al. 2022 (arXiv 2103.01955); on-policy `r_mappo.py`',
    note: 'γ, value clip, epochs and the critic’s optimizer stay as the form has them. Needs one reward for the team.',
    overrides: { ...mappo, ...ppoClip },
  },
  {
    id: 'impala',
    label: 'IMPALA',
    family: criticFamily,
    formula: 'A = min(1, π/μ)·(rₜ + γvₜ₊₁ − Vₜ); −A·log π',
    source: 'Espeholt et al. 2018 (arXiv 1802.01561) Eq. 1, §4.2',
    note: 'Made for stale rollouts: set a staleness. The ratio stands in the advantage and not in the loss.',
    overrides: { ...impala, ...reinforce, 'loss.samplerCorrection': 'none' },
  },
];
