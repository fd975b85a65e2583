import { expect, test } from 'vitest';
import { defaultSpec } from '../config/defaults';
import type { ExperimentSpec } from '../config/experimentSpec';
import { fields } from '../config/fields';
import { presets } from '../config/presets';
import { recipes } from '../config/recipes';
import { parseSpec } from '../config/parseSpec';
import { drMasCommand, drMasConfig } from './drMasConfig';
import { drMasRules } from './drMasRules';

/** Keys of verl/trainer/config/ppo_trainer.yaml at a60353c, and of the scripts run_search.sh, run_math.sh (161a9a9, 40f50a1). */
const theirKeys = new Set([
  'algorithm.adv_estimator',
  'algorithm.balance_loss_by_agent_freq',
  'algorithm.filter_groups.enable',
  'algorithm.gamma',
  'algorithm.gigpo.mode',
  'algorithm.gigpo.step_advantage_w',
  'algorithm.group_by_agent_id',
  'algorithm.kl_ctrl.kl_coef',
  'algorithm.kl_penalty',
  'algorithm.norm_adv_by_std_in_grpo',
  'algorithm.use_kl_in_reward',
  'data.train_batch_size',
  'data.val_batch_size',
  'env.env_name',
  'env.max_steps',
  'env.rollout.n',
  'env.seed',
  'agent.agent_ids',
  'agent.model_ids',
  'agent.model_sharing',
  'agent.orchestra_type',
  'agent.orchestra.math.max_loop_num',
  '+agent.agent_specific_parameters.actor.optim.lr',
  'trainer.test_freq',
  'trainer.total_training_steps',
  'actor_rollout_ref.model.path',
  'actor_rollout_ref.rollout.val_kwargs.do_sample',
  'actor_rollout_ref.rollout.val_kwargs.temperature',
  ...[
    'clip_ratio_c',
    'clip_ratio_high',
    'clip_ratio_low',
    'entropy_coeff',
    'grad_clip',
    'invalid_action_penalty_coef',
    'kl_loss_coef',
    'kl_loss_type',
    'loss_agg_mode',
    'optim.lr',
    'optim.lr_warmup_steps',
    'optim.min_lr_ratio',
    'optim.warmup_style',
    'optim.weight_decay',
    'ppo_epochs',
    'ppo_mini_update_num',
    'use_adaptive_ppo_mini_batch_size',
    'use_invalid_action_penalty',
    'use_kl_loss',
  ].map((key) => `actor_rollout_ref.actor.${key}`),
]);

function withOverrides(overrides: ExperimentSpec['arms'][number]['overrides']): ExperimentSpec {
  return { ...defaultSpec, arms: [{ name: 'a', overrides }] };
}

const overridesOf = (spec: ExperimentSpec, arm = 'a'): Record<string, unknown> =>
  Object.fromEntries(drMasConfig(spec, arm, 0).overrides);

/** Every preset, and every recipe as an arm of the default experiment where it is one. */
const experiments: ExperimentSpec[] = [
  ...Object.values(presets).map(({ spec }) => spec),
  ...Object.values(recipes)
    .flat()
    .map(({ overrides }) => withOverrides(overrides))
    .filter((spec) => parseSpec(spec).ok),
];

test('every setting of the field table has a rule, and no rule is without a setting', () => {
  expect(Object.keys(drMasRules).toSorted()).toEqual(Object.keys(fields).toSorted());
});

test('the keys are theirs, whatever is exported', () => {
  expect(experiments.length).toBeGreaterThan(30);
  const keys = experiments.flatMap((spec) =>
    spec.arms.flatMap(({ name }) =>
      drMasConfig(spec, name, spec.seeds[0]!).overrides.map(([key]) => key),
    ),
  );
  expect([...new Set(keys)].filter((key) => !theirKeys.has(key))).toEqual([]);
});

test('no setting of any experiment is outside of the table', () => {
  const reasons = experiments.flatMap((spec) =>
    spec.arms.flatMap(({ name }) =>
      drMasConfig(spec, name, spec.seeds[0]!).notCarried.map(({ reason }) => reason),
    ),
  );
  expect(reasons.filter((reason) => reason.startsWith('Not in the field table'))).toEqual([]);
});

test('Dr. MAS on its search world is what its own script says', () => {
  const spec = withOverrides({
    'estimator.scope': 'taskAgent',
    'estimator.unit': 'step',
    'estimator.singleton': 'raw',
    'groups.groupSize': 5,
    'groups.tasksPerIteration': 128,
    'loss.numMinibatches': 5,
    'loss.entropyCoef': 0.001,
    'loss.oldLogprobs': 'trainer',
    'policies.router.optimizer.learningRate': 1e-6,
  });
  // examples/drmas_trainer/run_search.sh at 161a9a9, as far as it is ours to say.
  expect(overridesOf(spec)).toMatchObject({
    'algorithm.adv_estimator': 'grpo',
    'algorithm.group_by_agent_id': true,
    'data.train_batch_size': 128,
    'actor_rollout_ref.actor.use_adaptive_ppo_mini_batch_size': true,
    'actor_rollout_ref.actor.ppo_mini_update_num': 5,
    'actor_rollout_ref.actor.use_kl_loss': false,
    'actor_rollout_ref.actor.use_invalid_action_penalty': true,
    'actor_rollout_ref.actor.invalid_action_penalty_coef': 0.01,
    'env.env_name': 'search',
    'env.seed': 0,
    'env.max_steps': 4,
    'env.rollout.n': 5,
    'agent.agent_ids': '["Verifier Agent","Search Agent","Answer Agent"]',
    'agent.model_ids': '["MODEL_OF_router","MODEL_OF_search","MODEL_OF_answer"]',
    'agent.model_sharing': false,
    'agent.orchestra_type': 'search',
    '+agent.agent_specific_parameters.actor.optim.lr': '[0.000001,0.003,0.003]',
  });
});

test('a setting that is not carried is named with its value and the reason', () => {
  const { notCarried } = drMasConfig(withOverrides({ 'estimator.epsilon': 1e-4 }), 'a', 0);
  expect(notCarried).toContainEqual({
    path: 'estimator.epsilon',
    value: 1e-4,
    reason: 'Fixed at 1e-6 in their code.',
  });
  expect(notCarried).toContainEqual({
    path: 'estimator.singleton',
    value: 'zero',
    reason: 'A group of one gets its raw reward there.',
  });
});

test.each([
  [
    { 'estimator.scale': 'none' },
    { 'algorithm.adv_estimator': 'grpo', 'algorithm.norm_adv_by_std_in_grpo': false },
  ],
  [
    { 'estimator.scale': 'none', 'estimator.center': 'leaveOneOut' },
    { 'algorithm.adv_estimator': 'rloo' },
  ],
  [
    { 'estimator.scale': 'batchStd' },
    { 'algorithm.adv_estimator': 'reinforce_plus_plus_baseline' },
  ],
  [
    { 'estimator.kind': 'gigpo', 'estimator.isPerAgent': true },
    {
      'algorithm.adv_estimator': 'gigpo',
      'algorithm.group_by_agent_id': true,
      'algorithm.gigpo.mode': 'mean_std_norm',
      'algorithm.gamma': 0.95,
    },
  ],
  [
    { 'loss.refKlCoef': 0.1 },
    {
      'actor_rollout_ref.actor.use_kl_loss': true,
      'actor_rollout_ref.actor.kl_loss_coef': 0.1,
      'actor_rollout_ref.actor.kl_loss_type': 'low_var_kl',
    },
  ],
  [
    { 'loss.refKlCoef': 0.1, 'loss.refKlIn': 'reward', 'loss.refKlEstimator': 'k1' },
    {
      'algorithm.use_kl_in_reward': true,
      'algorithm.kl_ctrl.kl_coef': 0.1,
      'algorithm.kl_penalty': 'kl',
    },
  ],
  [{ 'loss.balance': 'agentFrequency' }, { 'algorithm.balance_loss_by_agent_freq': true }],
  [
    { 'loss.aggregation': 'sequenceMean' },
    { 'actor_rollout_ref.actor.loss_agg_mode': 'seq-mean-token-mean' },
  ],
])('%j is %j', (ours, theirs) => {
  expect(
    overridesOf(withOverrides(ours as Record<string, string | number | boolean>)),
  ).toMatchObject(theirs);
});

test.each([
  // Σ / L there, Σ / (B · L) here.
  [{ 'loss.aggregation': 'constantLength' }, ['loss.aggregation']],
  // masked_whiten adds 1e-8, and counts tokens.
  [{ 'estimator.scale': 'batchStd', 'estimator.epsilon': 1e-8 }, ['estimator.scale']],
  [
    { 'estimator.scale': 'batchStd', 'estimator.epsilon': 1e-6 },
    ['estimator.scale', 'estimator.epsilon'],
  ],
  // Nothing is divided, so it does not matter by what.
  [{ 'estimator.scale': 'none', 'estimator.epsilon': 1e-4 }, []],
  [{ 'estimator.kind': 'gigpo', 'estimator.epsilon': 1e-4 }, ['estimator.epsilon']],
  [{ 'estimator.kind': 'gigpo', 'estimator.mode': 'meanNorm', 'estimator.epsilon': 1e-4 }, []],
])('what is computed in another way is told: %j', (ours, paths) => {
  const spec = withOverrides(ours);
  const told = drMasConfig(spec, 'a', 0).notCarried.map(({ path }) => path);
  const looked = new Set(['estimator.scale', 'estimator.epsilon', 'loss.aggregation']);
  expect(told.filter((path) => looked.has(path))).toEqual(paths);
});

test('a world that they do not have leaves its agents and their learning rates out, and says so', () => {
  const { spec } = Object.values(presets).find(
    (preset) => preset.spec.environment.kind === 'planExecute',
  )!;
  const { overrides, notCarried } = drMasConfig(spec, spec.arms[0]!.name, spec.seeds[0]!);
  expect(overrides.map(([key]) => key).filter((key) => /agent_ids|lr$/.test(key))).toEqual([]);
  const told = notCarried.map(({ path }) => path);
  for (const agent of Object.keys(spec.agents)) expect(told).toContain(`agents.${agent}.policy`);
  for (const policy of Object.keys(spec.policies))
    expect(told).toContain(`policies.${policy}.optimizer.learningRate`);
});

test('an estimator that they lack leaves its keys out, and says so', () => {
  const config = drMasConfig(withOverrides({ 'estimator.kind': 'turnReturn' }), 'a', 0);
  expect(config.overrides.map(([key]) => key)).not.toContain('algorithm.adv_estimator');
  expect(config.notCarried.map(({ path }) => path)).toContain('estimator.kind');
});

test('agents of one policy share a model, and policies that differ in one of their global settings are named', () => {
  const shared: ExperimentSpec = {
    ...defaultSpec,
    agents: {
      router: { policy: 'router' },
      search: { policy: 'router' },
      answer: { policy: 'answer' },
    },
  };
  expect(overridesOf(shared, 'global')).toMatchObject({
    'agent.model_sharing': true,
    'agent.model_ids': '["MODEL_OF_router","MODEL_OF_router","MODEL_OF_answer"]',
  });
  const { notCarried } = drMasConfig(
    withOverrides({ 'policies.router.optimizer.weightDecay': 0.5 }),
    'a',
    0,
  );
  expect(notCarried).toContainEqual({
    path: 'policies.router.optimizer.weightDecay',
    value: 0.5,
    reason: 'Differs between policies, and theirs is one for all.',
  });
});

test('a shell reads the command back as the same overrides', () => {
  const command = drMasCommand(defaultSpec, 'agentWise', 3);
  const lines = command.split('\n').filter((line) => !line.startsWith('#'));
  const [program, ...args] = lines
    .join('\n')
    .replaceAll('\\\n', ' ')
    .trim()
    .split(/\s+(?=[+\w.]+=)/);
  expect(program).toBe('python3 -m verl.trainer.main_ppo');
  // Single quotes hide everything but themselves (POSIX 2.2.2).
  const read = args
    .map((arg) => arg.replaceAll("'", '').split('='))
    .map(([key, value]) => [key, value]);
  const expected = drMasConfig(defaultSpec, 'agentWise', 3).overrides.map(([key, value]) => [
    key,
    typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value),
  ]);
  expect(read.slice(3)).toEqual(expected);
  expect(read.slice(0, 3)).toEqual([
    ['data.train_files', '$TRAIN_DATA'],
    ['data.val_files', '$VAL_DATA'],
    ['data.return_raw_chat', 'True'],
  ]);
});

test('a run that the experiment does not have is a mistake of the caller', () => {
  expect(() => drMasConfig(defaultSpec, 'nobody', 0)).toThrow(/no run of nobody with seed 0/);
});
