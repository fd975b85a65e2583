import type {
  EnvironmentSpec,
  ExperimentSpec,
  LossSpec,
  OptimizerSpec,
  PolicySpec,
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

/** Settings that every loss has. */
export const commonLoss = {
  aggregation: 'tokenMean',
  entropyCoef: 0,
  refKlCoef: 0,
  refKlEstimator: 'k3',
  maxMeanLogRatio: null,
  dynamicSampling: false,
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
  estimator: {
    scope: 'task',
    unit: 'trajectory',
    center: 'mean',
    scale: 'std',
    ddof: 1,
    epsilon: 1e-6,
    minStd: 1e-6,
    singleton: 'zero',
    ...noAlignment,
  },
  loss: defaultLosses.clip,
  groups: { tasksPerIteration: 16, groupSize: 32 },
  warmStart: { targetSuccess: 0.25, maxSteps: 200, tasksPerStep: 64, learningRate: 3e-3 },
  iterations: 120,
  evaluation: { every: 10, tasks: 256, greedy: false },
  arms: [
    { name: 'global', overrides: {} },
    { name: 'globalStep', overrides: { 'estimator.unit': 'step' } },
    {
      name: 'agentWise',
      overrides: { 'estimator.scope': 'taskAgent', 'estimator.unit': 'step' },
    },
  ],
  seeds: [0, 1, 2, 3, 4],
  backend: 'wasm',
};
