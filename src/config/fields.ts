/**
 * Every setting of an experiment in one table: the form, the validation messages and the docs are made from it.
 * A key is the path inside an ExperimentSpec; `*` stands for any id (of a policy, of an agent).
 */

interface FieldText {
  /** What the form prints before the control. */
  readonly label: string;
  /** One or two sentences: what it does, and what other libraries choose. */
  readonly help: string;
  /** Printed after the number. Absent for pure numbers and choices. */
  readonly unit?: string;
}

export interface NumberField extends FieldText {
  readonly kind: 'integer' | 'real';
  readonly min: number;
  readonly max: number;
  /** Step of the control, not a constraint. */
  readonly step: number;
  /** What `null` means, where `null` is allowed. */
  readonly nullLabel?: string;
}

export interface ChoiceField extends FieldText {
  readonly kind: 'choice';
  /** value → what the form prints for it. */
  readonly options: Readonly<Record<string, string>>;
}

export interface FlagField extends FieldText {
  readonly kind: 'flag';
}

export type Field = NumberField | ChoiceField | FlagField;

export const fields = {
  'environment.kind': {
    kind: 'choice',
    label: 'World',
    help: 'The task the team works on. Changing it resets the agents to the roles of that world.',
    options: { routeSearchAnswer: 'Route, search, answer', solveVerify: 'Solve, verify' },
  },
  'environment.numKeys': {
    kind: 'integer',
    label: 'Table size',
    help: 'Number of keys that a question can ask about.',
    unit: 'keys',
    min: 2,
    max: 64,
    step: 1,
  },
  'environment.numValues': {
    kind: 'integer',
    label: 'Answer alphabet',
    help: 'Number of different answer tokens. A random answer is right with one over this number.',
    unit: 'tokens',
    min: 2,
    max: 64,
    step: 1,
  },
  'environment.answerLength': {
    kind: 'integer',
    label: 'Answer length',
    help: 'Tokens of an answer, and of what a search returns.',
    unit: 'tokens',
    min: 1,
    max: 3,
    step: 1,
  },
  'environment.searchShare': {
    kind: 'real',
    label: 'Hard questions',
    help: 'Share of the questions whose answer is hidden until the search agent looks it up.',
    min: 0,
    max: 1,
    step: 0.05,
  },
  'environment.maxTurns': {
    kind: 'integer',
    label: 'Turn limit',
    help: 'An episode without an answer after this many turns ends with reward 0. Dr. MAS: 4.',
    unit: 'turns',
    min: 2,
    max: 8,
    step: 1,
  },
  'environment.invalidPenalty': {
    kind: 'real',
    label: 'Invalid action penalty',
    help: 'Subtracted from the score of the step whose action the world could not read. Dr. MAS: 0.01 (search), 0.1 (math).',
    min: 0,
    max: 1,
    step: 0.01,
  },
  'environment.modulus': {
    kind: 'integer',
    label: 'Modulus',
    help: 'The solver adds two numbers modulo this one.',
    min: 2,
    max: 100,
    step: 1,
  },
  'environment.maxRounds': {
    kind: 'integer',
    label: 'Rounds',
    help: 'How often the solver may answer. The verifier is not asked after the last round. Dr. MAS: 2.',
    unit: 'rounds',
    min: 1,
    max: 4,
    step: 1,
  },
  'environment.actOnce': {
    kind: 'flag',
    label: 'Every agent acts exactly once',
    help: 'The null control: with one call per agent and one shared reward, global and agent-wise normalization are the same.',
  },
  'agents.*.policy': {
    kind: 'choice',
    label: 'Policy',
    help: 'Which policy writes this agent’s turns. Agents that name the same policy share its weights and optimizer.',
    options: {},
  },
  'policies.*.architecture.numLayers': {
    kind: 'integer',
    label: 'Layers',
    help: 'Transformer blocks.',
    min: 1,
    max: 8,
    step: 1,
  },
  'policies.*.architecture.hiddenSize': {
    kind: 'integer',
    label: 'Width',
    help: 'Size of the residual stream.',
    min: 8,
    max: 256,
    step: 8,
  },
  'policies.*.architecture.numHeads': {
    kind: 'integer',
    label: 'Heads',
    help: 'Query heads. Width divided by heads must be even, because rotary positions turn pairs.',
    min: 1,
    max: 16,
    step: 1,
  },
  'policies.*.architecture.numKeyValueHeads': {
    kind: 'integer',
    label: 'Key-value heads',
    help: 'Grouped-query attention: heads that share one key and value. Must divide the number of heads.',
    min: 1,
    max: 16,
    step: 1,
  },
  'policies.*.architecture.intermediateSize': {
    kind: 'integer',
    label: 'MLP width',
    help: 'Inner size of the SwiGLU block.',
    min: 8,
    max: 1024,
    step: 8,
  },
  'policies.*.architecture.tieEmbeddings': {
    kind: 'flag',
    label: 'Tie embeddings',
    help: 'Use the embedding matrix as the output head too.',
  },
  'policies.*.architecture.ropeTheta': {
    kind: 'real',
    label: 'Rotary base',
    help: 'Base of the rotary frequencies. Llama: 10,000.',
    min: 10,
    max: 1_000_000,
    step: 1000,
  },
  'policies.*.optimizer.kind': {
    kind: 'choice',
    label: 'Optimizer',
    help: 'AdamW (Loshchilov and Hutter 2019) rescales every gradient; SGD shows inflation undamped.',
    options: { adamw: 'AdamW', sgd: 'SGD' },
  },
  'policies.*.optimizer.learningRate': {
    kind: 'real',
    label: 'Learning rate',
    help: 'Step size of the reinforcement phase, before the schedule.',
    min: 0,
    max: 10,
    step: 0.0005,
  },
  'policies.*.optimizer.beta1': {
    kind: 'real',
    label: 'β₁',
    help: 'Decay of AdamW’s first moment.',
    min: 0,
    max: 0.9999,
    step: 0.01,
  },
  'policies.*.optimizer.beta2': {
    kind: 'real',
    label: 'β₂',
    help: 'Decay of AdamW’s second moment. PyTorch: 0.999; many LLM recipes: 0.95 to 0.98.',
    min: 0,
    max: 0.99999,
    step: 0.001,
  },
  'policies.*.optimizer.epsilon': {
    kind: 'real',
    label: 'Adam ε',
    help: 'Added to the root of the second moment.',
    min: 1e-12,
    max: 1,
    step: 1e-8,
  },
  'policies.*.optimizer.weightDecay': {
    kind: 'real',
    label: 'Weight decay',
    help: 'Decoupled: the weights shrink by learning rate × decay per step.',
    min: 0,
    max: 1,
    step: 0.01,
  },
  'policies.*.optimizer.momentum': {
    kind: 'real',
    label: 'Momentum',
    help: 'Of SGD. 0 is plain gradient descent.',
    min: 0,
    max: 0.9999,
    step: 0.05,
  },
  'policies.*.optimizer.maxGradNorm': {
    kind: 'real',
    label: 'Gradient clip',
    help: 'Global L2 norm the gradient is scaled down to. The norm on the charts is taken before. Dr. MAS: 1.',
    min: 1e-6,
    max: 1_000_000,
    step: 0.1,
    nullLabel: 'off',
  },
  'policies.*.schedule.kind': {
    kind: 'choice',
    label: 'Schedule',
    help: 'How the learning rate moves from its full value to its final share over the run.',
    options: { constant: 'Constant', linear: 'Linear decay', cosine: 'Cosine decay' },
  },
  'policies.*.schedule.warmupIterations': {
    kind: 'integer',
    label: 'Warm-up',
    help: 'Iterations over which the learning rate rises linearly from zero.',
    unit: 'iterations',
    min: 0,
    max: 10_000,
    step: 1,
  },
  'policies.*.schedule.finalFraction': {
    kind: 'real',
    label: 'Final share',
    help: 'Learning rate at the last iteration, as a share of the full one. Ignored by the constant schedule.',
    min: 0,
    max: 1,
    step: 0.05,
  },
  'estimator.scope': {
    kind: 'choice',
    label: 'Statistics over',
    help: 'Which rewards form a group. GRPO compares all trajectories of a task; Dr. MAS compares each agent with itself (Feng et al. 2026, §4.2). The mixed scopes are the two halves of its ablation (Table 3).',
    options: {
      task: 'task (global)',
      taskAgent: 'task × agent (Dr. MAS)',
      taskAgentMeanOnly: 'mean per agent, std per task',
      taskAgentStdOnly: 'mean per task, std per agent',
    },
  },
  'estimator.unit': {
    kind: 'choice',
    label: 'One sample per',
    help: 'Whether a trajectory counts once, or once for every step in it. Vanilla GRPO counts trajectories, the Dr. MAS code counts the agent’s steps.',
    options: { trajectory: 'trajectory', step: 'step' },
  },
  'estimator.center': {
    kind: 'choice',
    label: 'Baseline',
    help: 'What is subtracted: the group mean (GRPO), the mean of the others (RLOO), or nothing.',
    options: { mean: 'group mean', leaveOneOut: 'leave one out', none: 'none' },
  },
  'estimator.scale': {
    kind: 'choice',
    label: 'Divide by',
    help: 'The group’s standard deviation (GRPO) or nothing (Dr. GRPO).',
    options: { std: 'group std', none: 'nothing' },
  },
  'estimator.ddof': {
    kind: 'choice',
    label: 'Variance',
    help: 'Divide the squared deviations by n − 1 (torch.std, all public code) or n (as the papers print it).',
    options: { '1': 'sample, n − 1', '0': 'population, n' },
  },
  'estimator.epsilon': {
    kind: 'real',
    label: 'ε',
    help: 'Added to the standard deviation. verl and Dr. MAS: 1e-6; TRL: 1e-4.',
    min: 0,
    max: 1,
    step: 1e-6,
  },
  'estimator.minStd': {
    kind: 'real',
    label: 'Smallest std',
    help: 'A group whose standard deviation is below this gets advantage 0 instead of a division by ε alone.',
    min: 0,
    max: 1,
    step: 1e-6,
  },
  'estimator.singleton': {
    kind: 'choice',
    label: 'Group of one',
    help: 'Advantage 0 (TRL), or the raw reward (verl and the Dr. MAS code).',
    options: { zero: 'advantage 0', raw: 'raw reward' },
  },
  'loss.clipLow': {
    kind: 'real',
    label: 'Clip low',
    help: 'The probability ratio is clipped from below at 1 − this. PPO: 0.2.',
    min: 0,
    max: 1,
    step: 0.05,
  },
  'loss.clipHigh': {
    kind: 'real',
    label: 'Clip high',
    help: 'The probability ratio is clipped from above at 1 + this. PPO: 0.2; DAPO: 0.28.',
    min: 0,
    max: 10,
    step: 0.05,
  },
  'loss.dualClip': {
    kind: 'real',
    label: 'Dual clip',
    help: 'For negative advantages the loss is at most this times |A| (Ye et al. 2020). verl and Dr. MAS: 3.',
    min: 1,
    max: 100,
    step: 0.5,
    nullLabel: 'off',
  },
  'loss.entropyCoef': {
    kind: 'real',
    label: 'Entropy bonus',
    help: 'Weight of the mean token entropy, added to the objective.',
    min: 0,
    max: 1,
    step: 0.001,
  },
  'loss.aggregation': {
    kind: 'choice',
    label: 'Aggregation',
    help: 'How token losses become one number: mean over tokens (verl, DAPO), mean of turn means (original GRPO), or a sum over a constant length (Dr. GRPO).',
    options: {
      tokenMean: 'token mean',
      sequenceMean: 'turn mean',
      constantLength: 'constant length',
    },
  },
  'loss.numUpdateEpochs': {
    kind: 'integer',
    label: 'Update epochs',
    help: 'Optimizer steps on each rollout batch. 1 is strictly on-policy. Dr. MAS: 1 (math), 5 (search).',
    min: 1,
    max: 16,
    step: 1,
  },
  'groups.tasksPerIteration': {
    kind: 'integer',
    label: 'Tasks',
    help: 'Different tasks drawn per iteration.',
    unit: 'per iteration',
    min: 1,
    max: 1024,
    step: 1,
  },
  'groups.groupSize': {
    kind: 'integer',
    label: 'Group size',
    help: 'Rollouts of the same task, compared with each other. Routed teams want 32 or more: a rarely called agent starves in small groups.',
    unit: 'rollouts',
    min: 1,
    max: 1024,
    step: 1,
  },
  'warmStart.targetSuccess': {
    kind: 'real',
    label: 'Start success',
    help: 'Supervised steps on scripted demonstrations stop when the team’s success reaches this. 0 skips the warm start.',
    min: 0,
    max: 1,
    step: 0.01,
  },
  'warmStart.maxSteps': {
    kind: 'integer',
    label: 'Most steps',
    help: 'The warm start ends after this many supervised steps even if the target was not reached; the run says so.',
    unit: 'steps',
    min: 0,
    max: 10_000,
    step: 1,
  },
  'warmStart.tasksPerStep': {
    kind: 'integer',
    label: 'Demonstrations',
    help: 'Scripted episodes per supervised step.',
    unit: 'per step',
    min: 1,
    max: 4096,
    step: 1,
  },
  'warmStart.learningRate': {
    kind: 'real',
    label: 'Learning rate',
    help: 'Of the supervised steps.',
    min: 0,
    max: 1,
    step: 0.0005,
  },
  iterations: {
    kind: 'integer',
    label: 'Iterations',
    help: 'One iteration is one rollout of all tasks and its updates.',
    unit: 'iterations',
    min: 1,
    max: 100_000,
    step: 10,
  },
  'evaluation.every': {
    kind: 'integer',
    label: 'Evaluate every',
    help: 'Evaluation uses tasks of its own that training never sees as keys of its random stream.',
    unit: 'iterations',
    min: 1,
    max: 100_000,
    step: 1,
  },
  'evaluation.tasks': {
    kind: 'integer',
    label: 'Evaluation tasks',
    help: 'Episodes per evaluation, each on a fresh task.',
    unit: 'episodes',
    min: 1,
    max: 4096,
    step: 16,
  },
  'evaluation.greedy': {
    kind: 'flag',
    label: 'Greedy',
    help: 'Take the most likely token instead of a sample.',
  },
  backend: {
    kind: 'choice',
    label: 'Backend',
    help: 'Where the policies run. cpu repeats a run to the last bit on every machine; webgpu wants a GPU; wasm runs everywhere and is the faster of the two without one.',
    options: { webgpu: 'WebGPU', wasm: 'WebAssembly', cpu: 'CPU (reference)' },
  },
} as const satisfies Record<string, Field>;

export type FieldPath = keyof typeof fields;

/** The row of the table for a concrete path such as `policies.router.optimizer.learningRate`, if there is one. */
export function fieldAt(path: string): Field | undefined {
  const pattern = path.replace(/^(policies|agents)\.[^.]+\./, '$1.*.');
  return Object.hasOwn(fields, pattern) ? fields[pattern as FieldPath] : undefined;
}
