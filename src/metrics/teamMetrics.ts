import type { MetricEntry } from './metricEntry';

/** One value per iteration of a team. */
export const teamMetrics = {
  success: {
    label: 'Success',
    unit: '',
    formula: 'share of training rollouts with outcome reward 1',
    meaning: 'How often the sampled team solved its task in this iteration.',
    level: 'team',
    healthy: 'rises',
  },
  teamReward: {
    label: 'Team reward',
    unit: '',
    formula: 'mean outcome minus the penalties of the episode’s steps',
    meaning: 'Undiscounted return of an episode.',
    level: 'team',
    healthy: 'rises',
  },
  episodeTurns: {
    label: 'Turns per episode',
    unit: 'turns',
    formula: 'mean over rollouts',
    meaning: 'How long the team works on a task.',
    level: 'team',
    healthy: 'depends on the world',
  },
  evalSuccess: {
    label: 'Evaluation success',
    unit: '',
    formula: 'share of evaluation episodes with outcome reward 1',
    meaning:
      'On tasks from a random stream that training never reads. Logged only in iterations that evaluate.',
    level: 'team',
    healthy: 'rises',
  },
  warmStartSteps: {
    label: 'Warm-start steps',
    unit: 'steps',
    formula: 'supervised steps until the team reached the start success',
    meaning:
      'How long the scripted demonstrations were imitated before reinforcement began. Logged at iteration 0.',
    level: 'team',
    healthy: 'below the limit',
  },
  nonFiniteRewards: {
    label: 'Scores that are not finite',
    unit: 'steps',
    formula: 'steps whose score is NaN or ±∞',
    meaning: 'Left out of every statistic, with advantage 0.',
    level: 'team',
    healthy: '0',
  },
  keptTaskFraction: {
    label: 'Tasks learned from',
    unit: '',
    formula: 'share of the iteration’s tasks whose rollouts did not all earn the same',
    meaning:
      'What is left after groups without signal are dropped. Logged where the loss drops them.',
    level: 'team',
    healthy: 'well above 0',
  },
  policyAge: {
    label: 'Staleness',
    unit: 'iterations',
    formula:
      'iterations between the policy that wrote the rollouts and the one that learns from them',
    meaning:
      'Grows over the first iterations of a pipeline up to its depth. Logged where rollouts wait.',
    level: 'team',
    healthy: 'as configured',
  },
  pulseSteps: {
    label: 'Pulse steps',
    unit: 'steps',
    formula: 'supervised steps on own successes after the iteration’s update',
    meaning: 'Above 0 in an iteration that ends with a pulse. Logged where pulses are on.',
    level: 'team',
    healthy: 'as configured',
  },
  valueLoss: {
    label: 'Value loss',
    unit: 'reward²',
    formula: '½ mean of max((V − R)², (clip(V) − R)²), mean over the critic’s epochs',
    meaning: 'How far the critic is from its targets while it learns.',
    level: 'team',
    healthy: 'falls',
  },
  explainedVariance: {
    label: 'Explained variance',
    unit: '',
    formula: '1 − var(R − V)/var(R), before the update',
    meaning:
      'What the critic knew of this batch’s targets. 1: everything, 0: their mean, below 0: less than that.',
    level: 'team',
    healthy: 'rises towards 1',
  },
  valueGradNorm: {
    label: 'Critic gradient norm',
    unit: '',
    formula: '‖∇φ L‖₂ of the value network, mean over its epochs',
    meaning: 'Length of the critic’s gradient; it is not clipped.',
    level: 'team',
    healthy: 'steady',
  },
  valueUpdateSkipped: {
    label: 'Critic updates skipped',
    unit: 'updates',
    formula: 'epochs whose gradient norm was not finite',
    meaning: 'Steps of the critic left out because the norm was NaN or infinite.',
    level: 'team',
    healthy: '0',
  },
  tokenCount: {
    label: 'Tokens',
    unit: 'tokens',
    formula: 'prompt and action tokens of the training rollouts learned from so far',
    meaning: 'Cumulative cost of the run in tokens.',
    level: 'team',
    healthy: 'grows',
  },
} as const satisfies Record<string, MetricEntry>;
