import type { FieldPath } from '../config/fields';
import { drMasAgents } from './drMasAgents';
import { drMasEstimatorRules, drMasLossRules } from './drMasAlgorithmRules';
import { as, ifNumber, none, only, shared, words, type DrMasRule } from './drMasRule';

/**
 * Every setting of ours and what becomes of it in langfengQ/DrMAS (a fork of verl).
 *
 * Keys were read in verl/trainer/config/ppo_trainer.yaml at a60353c and in examples/drmas_trainer/run_search.sh and run_math.sh at
 * 161a9a9 (which set group_by_agent_id, orchestra and val_n, newer than that yaml).
 */

const actor = 'actor_rollout_ref.actor';
const languageModel = 'Their policies are language models: choose them in agent.model_ids.';
const dataSet = 'Their tasks come from a data set: set data.train_files and data.val_files.';
const noSubAgents = 'They have no main agent that calls sub-agents.';
const noPulses = 'They have no supervised pulses.';
const noTags = 'They have no failure tags.';
const noWarmStart = 'Their policies start as language models that can do the task.';
const noDiagnostics = 'They measure no gradients on top.';

/** Said by the lists over their agents, which there are for their worlds only. */
const inTheirWorlds: DrMasRule = (_value, { training: { environment } }) =>
  drMasAgents[environment.kind] === undefined ? noSubAgents : [];

const environmentRules = {
  'environment.kind': (value) => {
    if (value === 'routeSearchAnswer')
      return [
        ['env.env_name', 'search'],
        ['agent.orchestra_type', 'search'],
      ];
    if (value === 'solveVerify')
      return [
        ['env.env_name', 'math'],
        ['agent.orchestra_type', 'math'],
      ];
    return noSubAgents;
  },
  'environment.numKeys': none(dataSet),
  'environment.numValues': none(dataSet),
  'environment.answerLength': none(dataSet),
  'environment.searchShare': none(dataSet),
  'environment.maxTurns': as('env.max_steps'),
  'environment.invalidPenalty': (value) => [
    [`${actor}.use_invalid_action_penalty`, value !== 0],
    ...ifNumber(`${actor}.invalid_action_penalty_coef`, value),
  ],
  'environment.numSlots': none(noSubAgents),
  'environment.maxSubtasks': none(noSubAgents),
  'environment.toolTurns': none(noSubAgents),
  'environment.singleAgent': none(noSubAgents),
  'environment.modulus': none(dataSet),
  'environment.maxRounds': as('agent.orchestra.math.max_loop_num'),
  'environment.actOnce': only(false, 'Their solver and verifier act until the verifier agrees.'),
} as const satisfies Record<string, DrMasRule>;

const policyRules = {
  // agent.agent_ids, agent.model_ids, agent.model_sharing: of all agents together, see drMasConfig.
  'agents.*.policy': inTheirWorlds,
  'policies.*.isFrozen': only(false, 'They train every model.'),
  'policies.*.architecture.numLayers': none(languageModel),
  'policies.*.architecture.hiddenSize': none(languageModel),
  'policies.*.architecture.numHeads': none(languageModel),
  'policies.*.architecture.numKeyValueHeads': none(languageModel),
  'policies.*.architecture.intermediateSize': none(languageModel),
  'policies.*.architecture.tieEmbeddings': none(languageModel),
  'policies.*.architecture.ropeTheta': none(languageModel),
  'policies.*.optimizer.kind': only('adamw', 'They train with AdamW.'),
  // One list for all agents, see drMasConfig.
  'policies.*.optimizer.learningRate': inTheirWorlds,
  'policies.*.optimizer.beta1': only(0.9, 'Theirs is AdamW’s default of PyTorch, 0.9.'),
  'policies.*.optimizer.beta2': only(0.999, 'Theirs is AdamW’s default of PyTorch, 0.999.'),
  'policies.*.optimizer.epsilon': only(1e-8, 'Theirs is AdamW’s default of PyTorch, 1e-8.'),
  'policies.*.optimizer.weightDecay': shared(as(`${actor}.optim.weight_decay`), ({ optimizer }) =>
    optimizer.kind === 'adamw' ? optimizer.weightDecay : undefined,
  ),
  'policies.*.optimizer.momentum': none('They train with AdamW.'),
  'policies.*.optimizer.maxGradNorm': shared(
    (value, context) =>
      value === null
        ? 'They always clip: set a large grad_clip.'
        : as(`${actor}.grad_clip`)(value, context),
    ({ optimizer }) => optimizer.maxGradNorm,
  ),
  'policies.*.schedule.kind': shared(
    words(
      `${actor}.optim.warmup_style`,
      { constant: 'constant', cosine: 'cosine' },
      'They have a constant and a cosine schedule.',
    ),
    ({ schedule }) => schedule.kind,
  ),
  'policies.*.schedule.warmupIterations': shared(
    as(`${actor}.optim.lr_warmup_steps`),
    ({ schedule }) => schedule.warmupIterations,
  ),
  'policies.*.schedule.finalFraction': shared(
    as(`${actor}.optim.min_lr_ratio`),
    ({ schedule }) => schedule.finalFraction,
  ),
} as const satisfies Record<string, DrMasRule>;

const scheduleRules = {
  'groups.sampling': only('parallel', 'They sample whole episodes side by side.'),
  'groups.tasksPerIteration': as('data.train_batch_size'),
  'groups.groupSize': as('env.rollout.n'),
  'groups.staleIterations': only(0, 'They learn from fresh rollouts only.'),
  'groups.teamRewardWeight': none('They sample whole episodes side by side.'),
  'pulses.kind': only('none', noPulses),
  'pulses.minEntropy': none(noPulses),
  'pulses.minRlIterations': none(noPulses),
  'pulses.numIterations': none(noPulses),
  'pulses.sftSteps': none(noPulses),
  'pulses.learningRate': none(noPulses),
  'pulses.rolloutsPerStep': none(noPulses),
  'pulses.maxPerTask': none(noPulses),
  'pulses.source': none(noPulses),
  'failureTags.kind': only('none', noTags),
  'failureTags.passWeight': none(noTags),
  'failureTags.unreadableWeight': none(noTags),
  'failureTags.wrongCallWeight': none(noTags),
  'failureTags.wrongContentWeight': none(noTags),
  'failureTags.minScale': none(noTags),
  'failureTags.maxScale': none(noTags),
  'failureTags.applyTo': none(noTags),
  'failureTags.emaBeta': none(noTags),
  'failureTags.prevalenceAlpha': none(noTags),
  'failureTags.confidenceSamples': none(noTags),
} as const satisfies Record<string, DrMasRule>;

const trainingRules = {
  'warmStart.targetSuccess': none(noWarmStart),
  'warmStart.maxSteps': none(noWarmStart),
  'warmStart.tasksPerStep': none(noWarmStart),
  'warmStart.learningRate': none(noWarmStart),
  iterations: as('trainer.total_training_steps'),
  'evaluation.every': as('trainer.test_freq'),
  'evaluation.tasks': as('data.val_batch_size'),
  // Greedy is temperature 0 there, sampling as in training temperature 1.
  'evaluation.greedy': (value) => [
    ['actor_rollout_ref.rollout.val_kwargs.do_sample', value !== true],
    ['actor_rollout_ref.rollout.val_kwargs.temperature', value === true ? 0 : 1],
  ],
  'diagnostics.counterfactualNorms': none(noDiagnostics),
  'diagnostics.gradientConflict': none(noDiagnostics),
  'diagnostics.gradientConcentration': none(noDiagnostics),
  'diagnostics.blame': none(noDiagnostics),
  'diagnostics.every': none(noDiagnostics),
  backend: none('They train on CUDA.'),
} as const satisfies Record<string, DrMasRule>;

export const drMasRules: Readonly<Record<FieldPath, DrMasRule>> = {
  ...environmentRules,
  ...policyRules,
  ...drMasEstimatorRules,
  ...drMasLossRules,
  ...scheduleRules,
  ...trainingRules,
};
