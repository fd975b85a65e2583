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
  tokenCount: {
    label: 'Tokens',
    unit: 'tokens',
    formula: 'prompt and action tokens of the training rollouts so far',
    meaning: 'Cumulative cost of the run in tokens.',
    level: 'team',
    healthy: 'grows',
  },
} as const satisfies Record<string, MetricEntry>;
