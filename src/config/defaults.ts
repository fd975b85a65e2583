import type {
  DiagnosticsSpec,
  EnvironmentSpec,
  EstimatorSpec,
  ExperimentSpec,
  FailureTagsSpec,
  GroupsSpec,
  LossSpec,
  OptimizerSpec,
  PolicySpec,
  PulsesSpec,
} from './experimentSpec';

/** What a world is set to when somebody switches to it. Sizes and penalties follow the miniatures of Dr. MAS's two benchmarks. */
export const defaultEnvironments: {
  readonly [K in EnvironmentSpec['kind']]: Extract<EnvironmentSpec, { kind: K }>;
} = {
  routeSearchAnswer: {
    kind: 'routeSearchAnswer',
    numKeys: 8,
    numValues: 8,
    answerLength: 1,
    searchShare: 0.8,
    maxTurns: 4,
    invalidPenalty: 0.01,
  },
  solveVerify: {
    kind: 'solveVerify',
    modulus: 10,
    maxRounds: 2,
    actOnce: false,
    invalidPenalty: 0.1,
  },
  planExecute: {
    kind: 'planExecute',
    numSlots: 3,
    maxSubtasks: 2,
    toolTurns: 3,
    numKeys: 4,
    numValues: 4,
    singleAgent: false,
    invalidPenalty: 0,
  },
};

/** What an optimizer is set to when somebody switches to it. */
export const defaultOptimizers: {
  readonly [K in OptimizerSpec['kind']]: Extract<OptimizerSpec, { kind: K }>;
} = {
  adamw: {
    kind: 'adamw',
    learningRate: 3e-3,
    beta1: 0.9,
    beta2: 0.999,
    epsilon: 1e-8,
    weightDecay: 0,
    maxGradNorm: null,
  },
  sgd: { kind: 'sgd', learningRate: 0.1, momentum: 0, maxGradNorm: null },
};

export const defaultPolicy: PolicySpec = {
  isFrozen: false,
  architecture: {
    numLayers: 2,
    hiddenSize: 32,
    numHeads: 4,
    numKeyValueHeads: 4,
    intermediateSize: 88,
    tieEmbeddings: false,
    ropeTheta: 10_000,
  },
  optimizer: defaultOptimizers.adamw,
  schedule: { kind: 'constant', warmupIterations: 0, finalFraction: 0 },
};

/** How sub-trajectories are aligned where there is nothing to align. */
export const noAlignment = { alignment: 'none', alignTo: 8 } as const;

const comparison = {
  center: 'mean',
  scale: 'std',
  ddof: 1,
  epsilon: 1e-6,
  minStd: 1e-6,
  singleton: 'zero',
} as const;

/** Settings that every estimator with a critic has. */
const criticSettings = {
  critic: 'own',
  gamma: 1,
  isWhitened: true,
  valueLearningRate: 3e-3,
  valueEpochs: 4,
} as const;

/** What an estimator is set to when somebody switches to it: the settings of its paper or code. */
export const defaultEstimators: {
  readonly [K in EstimatorSpec['kind']]: Extract<EstimatorSpec, { kind: K }>;
} = {
  group: { kind: 'group', scope: 'task', unit: 'trajectory', ...comparison, ...noAlignment },
  rollout: { kind: 'rollout', ...comparison },
  turnReturn: { kind: 'turnReturn', gamma: 0.9, ...comparison, scale: 'none' },
  gigpo: {
    kind: 'gigpo',
    isPerAgent: false,
    mode: 'meanStdNorm',
    gamma: 0.95,
    stepWeight: 1,
    ddof: 1,
    epsilon: 1e-6,
    minStd: 1e-6,
  },
  hierarchical: { kind: 'hierarchical' },
  movingBaseline: { kind: 'movingBaseline', baselineOf: 'role', decay: 0.95 },
  gae: { kind: 'gae', ...criticSettings, gaeLambda: 0.95, valueClip: null },
  vtrace: {
    kind: 'vtrace',
    ...criticSettings,
    traceLambda: 1,
    clipRho: 1,
    clipC: 1,
    clipPgRho: 1,
  },
};

/** Settings that every loss has. */
export const commonLoss = {
  aggregation: 'tokenMean',
  balance: 'none',
  entropyCoef: 0,
  refKlCoef: 0,
  refKlEstimator: 'k3',
  refKlIn: 'loss',
  oldLogprobs: 'sampler',
  samplerCorrection: 'none',
  samplerWeightLow: 0,
  samplerWeightHigh: 2,
  maxMeanLogRatio: null,
  dynamicSampling: false,
  overlongTurns: 0,
  overlongPenalty: 1,
  numUpdateEpochs: 1,
  numMinibatches: 1,
} as const;

/** What is particular to a loss when somebody switches to it: the settings of its paper or of TRL. */
export const defaultLosses: {
  readonly [K in LossSpec['kind']]: Extract<LossSpec, { kind: K }>;
} = {
  clip: { kind: 'clip', clipLow: 0.2, clipHigh: 0.2, dualClip: 3, ...commonLoss },
  gspo: { kind: 'gspo', clipLow: 3e-4, clipHigh: 4e-4, ...commonLoss },
  gspoToken: { kind: 'gspoToken', clipLow: 3e-4, clipHigh: 4e-4, ...commonLoss },
  cispoAbsolute: { kind: 'cispoAbsolute', weightCap: 5, ...commonLoss },
  cispoBand: { kind: 'cispoBand', clipLow: 0.2, clipHigh: 0.2, ...commonLoss },
  sapo: { kind: 'sapo', tauPositive: 1, tauNegative: 1.05, ...commonLoss },
};

const episodes = { tasksPerIteration: 16, groupSize: 32, staleIterations: 0 } as const;

/** How rollouts are drawn when somebody switches to it. */
export const defaultGroups: {
  readonly [K in GroupsSpec['sampling']]: Extract<GroupsSpec, { sampling: K }>;
} = {
  parallel: { sampling: 'parallel', ...episodes },
  tree: { sampling: 'tree', ...episodes, teamRewardWeight: 1 },
  expand: { sampling: 'expand', ...episodes, groupSize: 3 },
};

const pulse = {
  sftSteps: 8,
  learningRate: 1e-3,
  rolloutsPerStep: 64,
  maxPerTask: 4,
  source: 'all',
} as const;

/** Supervised pulses as they are when somebody switches them on; the numbers are ours. */
export const defaultPulses: {
  readonly [K in PulsesSpec['kind']]: Extract<PulsesSpec, { kind: K }>;
} = {
  none: { kind: 'none' },
  entropy: { kind: 'entropy', minEntropy: 0.1, minRlIterations: 10, ...pulse },
  period: { kind: 'period', numIterations: 40, ...pulse },
};

/** Failure tags as SEAL's configuration has them; its own tags are mapped to ours by meaning. */
export const defaultFailureTags: {
  readonly [K in FailureTagsSpec['kind']]: Extract<FailureTagsSpec, { kind: K }>;
} = {
  none: { kind: 'none' },
  seal: {
    kind: 'seal',
    passWeight: 1,
    unreadableWeight: 1.5,
    wrongCallWeight: 1.5,
    wrongContentWeight: 1.5,
    minScale: 0.5,
    maxScale: 2,
    applyTo: 'all',
    emaBeta: 0.25,
    prevalenceAlpha: 1,
    confidenceSamples: 32,
  },
};

/** Nothing is measured on top; what every preset and every document from before there were diagnostics says. */
export const noDiagnostics: DiagnosticsSpec = {
  counterfactualNorms: false,
  gradientConflict: false,
  gradientConcentration: false,
  blame: 'off',
  every: 1,
};

/** Every preset is a layer over this one. */
export const defaultSpec: ExperimentSpec = {
  version: 1,
  title: 'Route, search, answer',
  environment: defaultEnvironments.routeSearchAnswer,
  agents: {
    router: { policy: 'router' },
    search: { policy: 'search' },
    answer: { policy: 'answer' },
  },
  policies: { router: defaultPolicy, search: defaultPolicy, answer: defaultPolicy },
  estimator: defaultEstimators.group,
  loss: defaultLosses.clip,
  groups: defaultGroups.parallel,
  pulses: defaultPulses.none,
  failureTags: defaultFailureTags.none,
  warmStart: { targetSuccess: 0.25, maxSteps: 200, tasksPerStep: 64, learningRate: 3e-3 },
  iterations: 120,
  evaluation: { every: 10, tasks: 256, greedy: false },
  diagnostics: noDiagnostics,
  arms: [
    { name: 'global', overrides: {} },
    { name: 'globalStep', overrides: { 'estimator.unit': 'step' } },
    {
      name: 'agentWise',
      overrides: { 'estimator.scope': 'taskAgent', 'estimator.unit': 'step' },
    },
  ],
  seeds: [0, 1, 2, 3, 4],
  backend: 'auto',
};
