import {
  defaultEnvironments,
  defaultEstimators,
  defaultGroups,
  defaultLosses,
  defaultOptimizers,
  defaultPolicy,
  defaultSpec,
} from './defaults';
import type { ExperimentSpec, PolicySpec } from './experimentSpec';

export type PresetId =
  | 'route-search-answer'
  | 'route-search-answer-weak'
  | 'route-search-answer-weakest'
  | 'solve-verify'
  | 'solve-verify-null'
  | 'plan-execute'
  | 'stable-designs'
  | 'stale-pipeline'
  | 'critics';

export interface Preset {
  /** Name in the gallery. */
  readonly label: string;
  /** What it shows, in two sentences for a researcher. */
  readonly description: string;
  readonly spec: ExperimentSpec;
}

const routeSearchAnswerWeak: ExperimentSpec = {
  ...defaultSpec,
  title: 'Route, search, answer: a weak start',
  warmStart: { ...defaultSpec.warmStart, targetSuccess: 0.08 },
};

const routeSearchAnswerWeakest: ExperimentSpec = {
  ...defaultSpec,
  title: 'Route, search, answer: a very weak start',
  warmStart: { ...defaultSpec.warmStart, targetSuccess: 0.02 },
};

const solveVerify: ExperimentSpec = {
  ...defaultSpec,
  title: 'Solve and verify',
  environment: defaultEnvironments.solveVerify,
  agents: { solver: { policy: 'solver' }, verifier: { policy: 'verifier' } },
  policies: { solver: defaultPolicy, verifier: defaultPolicy },
  groups: { ...defaultGroups.parallel, groupSize: 16 },
};

const planExecute: ExperimentSpec = {
  ...defaultSpec,
  title: 'Plan and execute: M-GRPO',
  environment: defaultEnvironments.planExecute,
  agents: { planner: { policy: 'planner' }, executor: { policy: 'executor' } },
  policies: { planner: defaultPolicy, executor: defaultPolicy },
  // M-GRPO as printed: one sample per main trajectory or invocation, within task and agent, population std.
  estimator: {
    ...defaultEstimators.group,
    scope: 'taskAgent',
    unit: 'trajectory',
    ddof: 0,
    alignment: 'duplicateDrop',
    alignTo: defaultEnvironments.planExecute.maxSubtasks,
  },
  groups: { ...defaultGroups.parallel, groupSize: 16 },
  arms: [
    { name: 'mgrpo', overrides: {} },
    { name: 'frozenExecutor', overrides: { 'policies.executor.isFrozen': true } },
    { name: 'singleAgent', overrides: { 'environment.singleAgent': true } },
  ],
};

/** Hostile to the policy gradient on purpose: four passes over every batch, three times the learning rate. */
const driftingPolicy: PolicySpec = {
  ...defaultPolicy,
  optimizer: { ...defaultOptimizers.adamw, learningRate: 9e-3 },
};

const sampo = {
  'estimator.kind': 'gigpo',
  'loss.kind': 'gspo',
  'loss.clipLow': 3e-3,
  'loss.clipHigh': 4e-3,
  'loss.aggregation': 'sequenceMean',
  'loss.dynamicSampling': true,
  'loss.refKlCoef': 0.01,
} as const;

const stableDesigns: ExperimentSpec = {
  ...defaultSpec,
  title: 'Which policy-gradient design is stable',
  environment: { ...defaultEnvironments.routeSearchAnswer, invalidPenalty: 0.1 },
  policies: { router: driftingPolicy, search: driftingPolicy, answer: driftingPolicy },
  loss: { ...defaultLosses.clip, numUpdateEpochs: 4 },
  groups: { ...defaultGroups.parallel, groupSize: 16 },
  arms: [
    { name: 'cispo', overrides: { 'loss.kind': 'cispoAbsolute' } },
    { name: 'sapo', overrides: { 'loss.kind': 'sapo' } },
    { name: 'grpo', overrides: {} },
    { name: 'sampo', overrides: sampo },
  ],
};

const stalePipeline: ExperimentSpec = {
  ...defaultSpec,
  title: 'A pipeline of depth eight',
  groups: { ...defaultGroups.parallel, groupSize: 16, staleIterations: 8 },
  arms: [
    { name: 'fresh', overrides: { 'groups.staleIterations': 0 } },
    { name: 'stale', overrides: { 'loss.oldLogprobs': 'trainer' } },
    { name: 'ratio', overrides: {} },
    {
      name: 'tis',
      overrides: { 'loss.oldLogprobs': 'trainer', 'loss.samplerCorrection': 'tokenTruncate' },
    },
    { name: 'vtrace', overrides: { 'estimator.kind': 'vtrace' } },
  ],
};

const critics: ExperimentSpec = {
  ...defaultSpec,
  title: 'Groups or critics',
  groups: { ...defaultGroups.parallel, groupSize: 16 },
  arms: [
    { name: 'grpo', overrides: {} },
    { name: 'ippo', overrides: { 'estimator.kind': 'gae' } },
    { name: 'mappo', overrides: { 'estimator.kind': 'gae', 'estimator.critic': 'state' } },
    { name: 'vdn', overrides: { 'estimator.kind': 'gae', 'estimator.critic': 'sum' } },
  ],
};

const smallPolicy: PolicySpec = {
  ...defaultPolicy,
  architecture: {
    ...defaultPolicy.architecture,
    numLayers: 1,
    hiddenSize: 16,
    numHeads: 2,
    numKeyValueHeads: 2,
    intermediateSize: 40,
  },
};

const solveVerifyNull: ExperimentSpec = {
  ...solveVerify,
  title: 'Null control: every agent acts once',
  environment: { ...defaultEnvironments.solveVerify, actOnce: true, invalidPenalty: 0 },
  policies: { solver: smallPolicy, verifier: smallPolicy },
  groups: { ...defaultGroups.parallel, tasksPerIteration: 8, groupSize: 8 },
  warmStart: { ...defaultSpec.warmStart, maxSteps: 120, tasksPerStep: 16, learningRate: 0.01 },
  iterations: 10,
  evaluation: { every: 5, tasks: 64, greedy: false },
  seeds: [0, 1],
  backend: 'cpu',
};

/** The gallery, in its order. Each is a complete specification, written as a layer over the default one. */
export const presets: Readonly<Record<PresetId, Preset>> = {
  'route-search-answer': {
    label: 'Route, search, answer',
    description:
      'A router calls a search agent or an answer agent, and reinforcement starts from a team that already solves about a quarter of its tasks. From such a start the three estimators may differ little, so read it as the reference for the weak start: the same team, world and random numbers, only better prepared.',
    spec: defaultSpec,
  },
  'route-search-answer-weak': {
    label: 'Route, search, answer: weak start',
    description:
      'The same team starts at 8 % success, where the router can learn to drop the search agent and a rarely called agent may be given very large advantages under global normalization. Compare each agent’s gradient norm with the success curves: Dr. MAS is built to calm the norms, and whether the team then solves more tasks is a separate question that this experiment leaves to the data.',
    spec: routeSearchAnswerWeak,
  },
  'route-search-answer-weakest': {
    label: 'Route, search, answer: very weak start',
    description:
      'The same team starts at 2 % success, where an answer at once is paid about as well as a search that nearly always fails. Watch how often the search agent is called (Turns) beside its gradient norm and its second moment: few calls on the rare winning branch are where global normalization inflates.',
    spec: routeSearchAnswerWeakest,
  },
  'solve-verify': {
    label: 'Solve, verify',
    description:
      'A solver adds modulo ten and a verifier accepts or sends back, so that the solver acts once or twice and the verifier at most once. The agents are called almost equally often, which leaves agent-wise normalization less to correct than in a routed team.',
    spec: solveVerify,
  },
  'solve-verify-null': {
    label: 'Null control',
    description:
      'Every agent acts exactly once and all share one reward, so global and agent-wise normalization are the same formula and their curves must coincide. Statistics per step count each reward twice, once per agent, and differ from them by the constant factor of the sample variance only; any other gap is a fault of the software.',
    spec: solveVerifyNull,
  },
  'plan-execute': {
    label: 'Plan, execute (M-GRPO)',
    description:
      'A planner breaks a task into 0 to d sub-calls that executors answer in parallel, each over a few tool turns; planner and executor have policies, optimizers and rewards of their own, as in M-GRPO. Its two baselines run beside it: an executor that stays as the warm start left it, and a planner that does the tool turns itself.',
    spec: planExecute,
  },
  'stable-designs': {
    label: 'Which design is stable',
    description:
      'Four passes over every batch at three times the usual learning rate, so that most gradients are taken on stale data. CISPO and SAPO tolerate large ratios, GRPO clips them per token, and SAMPO (GiGPO advantages, GSPO clip, groups without signal dropped, a small KL penalty) clips whole turns; watch valid actions, KL and gradient norm for signs of collapse.',
    spec: stableDesigns,
  },
  'stale-pipeline': {
    label: 'Stale rollouts',
    description:
      'Rollouts wait eight iterations before they are learned from, as in an asynchronous pipeline. Fresh rollouts, stale ones taken at face value, the clipped ratio against the sampler, truncated importance weights (TIS) and V-trace run side by side on the same tasks.',
    spec: stalePipeline,
  },
  critics: {
    label: 'Groups or critics',
    description:
      'GRPO compares rollouts with each other; IPPO, MAPPO and VDN ask a value network instead, which reads the agent’s own prompt, the shared state with the hidden answer, or every agent’s last prompt. The policy loss is the same in all arms, so a difference is one of advantages.',
    spec: critics,
  },
};
