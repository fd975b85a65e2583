import type { EstimatorSpec } from '../config/experimentSpec';
import {
  as,
  drMasEstimator,
  ifNumber,
  none,
  only,
  saidElsewhere,
  words,
  type DrMasRule,
} from './drMasRule';

/** Estimator and loss. Their formulas: verl/trainer/ppo/core_algos.py at 3b556f2, verl/workers/actor/dp_actor.py at 3069403. */

const actor = 'actor_rollout_ref.actor';

const otherEstimator = 'Of an estimator that they do not have.';

/** Task and trajectory is theirs without group_by_agent_id, task × agent and step with it; they have no other pair. */
const groupBy: DrMasRule = (_value, { training: { estimator } }) => {
  if (estimator.kind !== 'group') return otherEstimator;
  const pair = `${estimator.scope}/${estimator.unit}`;
  if (pair === 'task/trajectory') return [['algorithm.group_by_agent_id', false]];
  if (pair === 'taskAgent/step') return [['algorithm.group_by_agent_id', true]];
  return 'They compare trajectories of a task, or steps of an agent in a task; nothing in between.';
};

const estimatorKind: DrMasRule = (_value, { training: { estimator } }) => {
  const name = drMasEstimator(estimator);
  return name === null
    ? 'They have no such estimator; the key algorithm.adv_estimator is left out.'
    : [['algorithm.adv_estimator', name]];
};

const scale: DrMasRule = (value, { training: { estimator } }) => {
  const name = drMasEstimator(estimator);
  if (name === null) return otherEstimator;
  if (value === 'batchStd') return 'Their whitening counts every token, ours every step.';
  return name === 'grpo' ? [['algorithm.norm_adv_by_std_in_grpo', value === 'std']] : [];
};

/** Only where the estimator is carried at all. */
function ifCarried(rule: DrMasRule): DrMasRule {
  return (value, context) =>
    drMasEstimator(context.training.estimator) === null ? otherEstimator : rule(value, context);
}

const discount: DrMasRule = (value, { training: { estimator } }) =>
  estimator.kind === 'gigpo' && typeof value === 'number'
    ? [['algorithm.gamma', value]]
    : otherEstimator;

/** Only where scores are divided by a deviation: of their group (`std`) or of the batch (`batchStd`). */
function ifScaled(byScale: { readonly std: DrMasRule; readonly batchStd: DrMasRule }): DrMasRule {
  return ifCarried((value, context) => {
    const by = scaleOf(context.training.estimator);
    return by === 'std' || by === 'batchStd' ? byScale[by](value, context) : [];
  });
}

function scaleOf(estimator: EstimatorSpec): string {
  if (estimator.kind === 'gigpo') return estimator.mode === 'meanStdNorm' ? 'std' : 'none';
  return estimator.kind === 'group' ? estimator.scale : 'none';
}

const sampleStd = only(1, 'They use torch.std, which divides by n − 1.');

/** No division by less than this; where all rewards are equal both give 0. */
const minStd: DrMasRule = (value) =>
  typeof value === 'number' && value <= 1e-6
    ? []
    : 'They divide by std + 1e-6, however small the std.';

export const drMasEstimatorRules = {
  'estimator.kind': estimatorKind,
  'estimator.scope': ifCarried(groupBy),
  // Together with the scope.
  'estimator.unit': ifCarried((value, context) => {
    const said = groupBy(value, context);
    return typeof said === 'string' ? said : [];
  }),
  'estimator.center': ifCarried(saidElsewhere),
  'estimator.scale': scale,
  'estimator.ddof': ifScaled({ std: sampleStd, batchStd: sampleStd }),
  'estimator.epsilon': ifScaled({
    std: only(1e-6, 'Fixed at 1e-6 in their code.'),
    batchStd: only(1e-8, 'Fixed at 1e-8, under the root, in their masked_whiten.'),
  }),
  'estimator.minStd': ifScaled({ std: minStd, batchStd: saidElsewhere }),
  'estimator.singleton': ifCarried(only('raw', 'A group of one gets its raw reward there.')),
  'estimator.alignment': ifCarried(only('none', 'They do not align sub-trajectories.')),
  'estimator.alignTo': (_value, { training: { estimator } }) =>
    estimator.kind === 'group' && estimator.alignment === 'none'
      ? []
      : 'They do not align sub-trajectories.',
  'estimator.isPerAgent': as('algorithm.group_by_agent_id'),
  'estimator.mode': words(
    'algorithm.gigpo.mode',
    { meanNorm: 'mean_norm', meanStdNorm: 'mean_std_norm' },
    otherEstimator,
  ),
  'estimator.gamma': discount,
  'estimator.stepWeight': as('algorithm.gigpo.step_advantage_w'),
  'estimator.baselineOf': none(otherEstimator),
  'estimator.decay': none(otherEstimator),
  'estimator.critic': none('Their critic is a language model: set the section critic by hand.'),
  'estimator.gaeLambda': none('Their critic is a language model: set the section critic by hand.'),
  'estimator.traceLambda': none(otherEstimator),
  'estimator.clipRho': none(otherEstimator),
  'estimator.clipC': none(otherEstimator),
  'estimator.clipPgRho': none(otherEstimator),
  'estimator.isWhitened': none('Their critic is a language model: set the section critic by hand.'),
  'estimator.valueLearningRate': none('Their critic is a language model: set critic.optim.lr.'),
  'estimator.valueEpochs': none('Their critic takes as many epochs as the actor.'),
  'estimator.valueClip': none('Their critic is a language model: set critic.cliprange_value.'),
} as const satisfies Record<string, DrMasRule>;

const referenceKl: DrMasRule = (value, { training: { loss } }) => {
  if (value === 0) return [[`${actor}.use_kl_loss`, false]];
  if (typeof value !== 'number') return 'Is no number.';
  return loss.refKlIn === 'loss'
    ? [
        [`${actor}.use_kl_loss`, true],
        [`${actor}.kl_loss_coef`, value],
      ]
    : [
        [`${actor}.use_kl_loss`, false],
        ['algorithm.use_kl_in_reward', true],
        ['algorithm.kl_ctrl.kl_coef', value],
      ];
};

const klWords = { k1: 'kl', k2: 'mse', k3: 'low_var_kl' };

const klEstimator: DrMasRule = (value, context) => {
  const { refKlCoef, refKlIn } = context.training.loss;
  if (refKlCoef === 0) return [];
  const key = refKlIn === 'loss' ? `${actor}.kl_loss_type` : 'algorithm.kl_penalty';
  return words(key, klWords, 'They have kl, mse and low_var_kl.')(value, context);
};

const noCorrection: DrMasRule = (_value, { training: { loss } }) =>
  loss.samplerCorrection === 'none' ? [] : 'They do not correct for the sampler.';

export const drMasLossRules = {
  'loss.kind': only('clip', 'They have the clipped loss of PPO only.'),
  'loss.clipLow': as(`${actor}.clip_ratio_low`),
  'loss.clipHigh': as(`${actor}.clip_ratio_high`),
  'loss.dualClip': (value, context) =>
    value === null || value === 1
      ? 'Their dual clip is always on, and above 1.'
      : as(`${actor}.clip_ratio_c`)(value, context),
  'loss.weightCap': none('Of a loss that they do not have.'),
  'loss.tauPositive': none('Of a loss that they do not have.'),
  'loss.tauNegative': none('Of a loss that they do not have.'),
  // agg_loss of core_algos.py: its seq-mean-token-sum-norm is a sum over sequences, whatever its name says.
  'loss.aggregation': words(
    `${actor}.loss_agg_mode`,
    { tokenMean: 'token-mean', sequenceMean: 'seq-mean-token-mean' },
    'Their nearest, seq-mean-token-sum-norm, divides by the padded length of a response, not by the number of sequences as well.',
  ),
  // The key: examples/drmas_trainer/run_math_loss_balance_drmas.sh at 40f50a1.
  'loss.balance': words(
    'algorithm.balance_loss_by_agent_freq',
    { none: false, agentFrequency: true },
    'They balance agents, not rollouts.',
  ),
  'loss.entropyCoef': as(`${actor}.entropy_coeff`),
  'loss.refKlCoef': referenceKl,
  'loss.refKlEstimator': klEstimator,
  'loss.refKlIn': saidElsewhere,
  'loss.oldLogprobs': only('trainer', 'They always recompute the old log-probabilities.'),
  'loss.samplerCorrection': only('none', 'They do not correct for the sampler.'),
  'loss.samplerWeightLow': noCorrection,
  'loss.samplerWeightHigh': noCorrection,
  'loss.maxMeanLogRatio': only(null, 'They have no off-policy mask.'),
  'loss.dynamicSampling': (value) =>
    value === true
      ? 'Their algorithm.filter_groups draws other tasks in place of the dropped ones; here they are only dropped.'
      : [['algorithm.filter_groups.enable', false]],
  'loss.overlongTurns': only(0, 'They have no overlong punishment in turns.'),
  'loss.overlongPenalty': (_value, { training: { loss } }) =>
    loss.overlongTurns === 0 ? [] : 'They have no overlong punishment in turns.',
  'loss.numUpdateEpochs': as(`${actor}.ppo_epochs`),
  'loss.numMinibatches': (value) => [
    [`${actor}.use_adaptive_ppo_mini_batch_size`, true],
    ...ifNumber(`${actor}.ppo_mini_update_num`, value),
  ],
} as const satisfies Record<string, DrMasRule>;
