/** What every logged number means. Keys are the field's names (glossary); the page, the CSV and the docs read this table. */

interface MetricEntry {
  readonly label: string;
  /** Empty for pure numbers. */
  readonly unit: string;
  readonly formula: string;
  /** One sentence for the hover text. */
  readonly meaning: string;
  /** `agent`: one value per agent; `team`: one per iteration. */
  readonly level: 'agent' | 'team';
  /** Where a healthy run lies, in words. */
  readonly healthy: string;
}

export const metricCatalog = {
  gradNorm: {
    label: 'Gradient norm',
    unit: '',
    formula: '‖∇θ Lₖ‖₂ before clipping, mean over the iteration’s updates',
    meaning:
      'Length of the gradient this agent’s turns give its policy. Under shared weights each agent’s part is taken alone.',
    level: 'agent',
    healthy: 'steady; a jump over 3 × the median of the last 25 is marked as a spike',
  },
  gradNormMax: {
    label: 'Largest gradient norm',
    unit: '',
    formula: 'max over the iteration’s updates of ‖∇θ Lₖ‖₂',
    meaning: 'The largest pre-clip norm among the updates of one iteration.',
    level: 'agent',
    healthy: 'close to the mean norm',
  },
  gradCosine: {
    label: 'Gradient cosine',
    unit: '',
    formula: '⟨gₖ, Σⱼ≠ₖ gⱼ⟩ / (‖gₖ‖ ‖Σⱼ≠ₖ gⱼ‖)',
    meaning:
      'Whether this agent pulls shared weights the same way as the agents it shares them with. Absent for separate policies.',
    level: 'agent',
    healthy: 'near 0 is what unrelated directions give; below 0 is conflict',
  },
  updateSkipped: {
    label: 'Skipped updates',
    unit: 'updates',
    formula: 'number of updates whose gradient norm was not finite',
    meaning:
      'Optimizer steps left out because the norm was NaN or infinite; the weights did not move.',
    level: 'agent',
    healthy: '0',
  },
  policyLoss: {
    label: 'Policy loss',
    unit: '',
    formula: '−E[min(ρA, clip(ρ)A)] with dual clip',
    meaning:
      'The clipped surrogate that is minimised, without the entropy bonus. Near 0 on-policy, whatever is learnt.',
    level: 'agent',
    healthy: 'no meaning as a learning curve',
  },
  entropy: {
    label: 'Entropy',
    unit: 'nats per token',
    formula: '−Σ π log π, mean over the agent’s action tokens',
    meaning: 'How undecided the policy is where it acted.',
    level: 'agent',
    healthy: 'falls slowly; near 0 early means collapse',
  },
  approxKl: {
    label: 'KL to the old policy',
    unit: 'nats',
    formula:
      'mean of exp(d) − 1 − d with d = logπ_new − logπ_old (k3), re-scored after the last update',
    meaning: 'How far the iteration’s updates moved the policy on the tokens it had sampled.',
    level: 'agent',
    healthy: 'below about 0.05',
  },
  clipFraction: {
    label: 'Clip fraction',
    unit: '',
    formula: 'share of tokens whose gradient the ratio clip removed',
    meaning: 'Exactly 0 with one update per rollout: the ratio is 1 there.',
    level: 'agent',
    healthy: 'below 0.2',
  },
  clipFractionLow: {
    label: 'Clip fraction, low side',
    unit: '',
    formula: 'share of tokens with A < 0 and ρ < 1 − clipLow',
    meaning: 'Tokens already pushed down as far as the clip allows.',
    level: 'agent',
    healthy: 'below 0.2',
  },
  clipFractionHigh: {
    label: 'Clip fraction, high side',
    unit: '',
    formula: 'share of tokens with A > 0 and ρ > 1 + clipHigh',
    meaning: 'Tokens already pushed up as far as the clip allows.',
    level: 'agent',
    healthy: 'below 0.2',
  },
  refKl: {
    label: 'KL to the reference',
    unit: 'nats',
    formula: 'mean of exp(−d) − 1 + d with d = logπ − logπ_ref (k3), over the iteration’s updates',
    meaning:
      'How far the policy is from the frozen policy of the warm start. Logged where the loss has a KL penalty.',
    level: 'agent',
    healthy: 'grows slowly',
  },
  samplerMismatch: {
    label: 'Sampler mismatch',
    unit: 'nats',
    formula:
      'k3 between the sampler’s log-probabilities and those of the first update step before it moves anything',
    meaning: 'Two computations of the same number: what is left is rounding, or a fault.',
    level: 'agent',
    healthy: 'below 1e-6',
  },
  effectiveSampleSize: {
    label: 'Effective sample size',
    unit: '',
    formula: '(Σρ)²/(n Σρ²) with ρ = π_trainer/π_sampler',
    meaning: 'Share of the sampled tokens that still counts after importance weighting.',
    level: 'agent',
    healthy: '1',
  },
  advSecondMoment: {
    label: 'Advantage second moment, measured',
    unit: '',
    formula: 'mean of A² over the agent’s steps',
    meaning: 'What the advantages in use contribute to the squared gradient.',
    level: 'agent',
    healthy: 'below 1 under agent-wise normalization; up to N − 1 under global',
  },
  advSecondMomentPredicted: {
    label: 'Advantage second moment, predicted',
    unit: '',
    formula:
      'step-weighted mean over tasks of (σₖ² + (μₖ − μ)²)/σ² (Lemma 4.2 of Dr. MAS), 0 for a task whose rewards are all equal',
    meaning:
      'What global normalization would give, from the agent’s and the task’s reward statistics alone. Computed in every arm.',
    level: 'agent',
    healthy: 'near 1; the bound is group size − 1 for a shared outcome reward',
  },
  advInflationMax: {
    label: 'Largest predicted inflation',
    unit: '',
    formula: 'max over tasks of (σₖ² + (μₖ − μ)²)/σ²',
    meaning:
      'The worst group of the iteration; Samuelson’s inequality bounds it by group size − 1.',
    level: 'agent',
    healthy: 'far below group size − 1',
  },
  advAbsMax: {
    label: 'Largest |advantage|',
    unit: '',
    formula: 'max |A| over the agent’s steps',
    meaning: 'A single step’s weight in the gradient.',
    level: 'agent',
    healthy: 'below (n − 1)/√n',
  },
  rewardMean: {
    label: 'Agent mean reward μₖ',
    unit: '',
    formula: 'mean score over the agent’s steps',
    meaning: 'Average score of the steps in which this agent acted.',
    level: 'agent',
    healthy: 'near the team’s mean; far from it means a rare branch',
  },
  rewardStd: {
    label: 'Agent reward std σₖ',
    unit: '',
    formula:
      'population standard deviation of the score over the agent’s steps within a task, step-weighted mean over tasks',
    meaning: 'Spread of the agent’s scores inside a group.',
    level: 'agent',
    healthy: 'above 0, otherwise there is no signal',
  },
  zeroStdGroupFraction: {
    label: 'Groups without signal',
    unit: '',
    formula: 'share of the groups used for this agent with std below the smallest std',
    meaning: 'All rewards equal: advantage 0, nothing to learn from.',
    level: 'agent',
    healthy: 'below 0.8',
  },
  singletonFraction: {
    label: 'Singleton groups',
    unit: '',
    formula: 'share of the agent’s groups with one sample',
    meaning: 'Groups too small for a baseline.',
    level: 'agent',
    healthy: '0',
  },
  numTurns: {
    label: 'Turns',
    unit: 'per iteration',
    formula: 'nₖ, number of turns the agent took in the iteration’s rollouts',
    meaning: 'How often the team called this agent.',
    level: 'agent',
    healthy: 'above 0; a falling count means the team drops the agent',
  },
  validActionRate: {
    label: 'Valid actions',
    unit: '',
    formula: 'share of turns the world could read',
    meaning: 'Invalid actions cost the penalty and change nothing.',
    level: 'agent',
    healthy: 'near 1',
  },
  learningRate: {
    label: 'Learning rate',
    unit: '',
    formula: 'after the schedule',
    meaning: 'Step size used in this iteration.',
    level: 'agent',
    healthy: 'as configured',
  },
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
  tokenCount: {
    label: 'Tokens',
    unit: 'tokens',
    formula: 'prompt and action tokens of the training rollouts so far',
    meaning: 'Cumulative cost of the run in tokens.',
    level: 'team',
    healthy: 'grows',
  },
} as const satisfies Record<string, MetricEntry>;

export type MetricKey = keyof typeof metricCatalog;

/** One iteration's numbers of one agent (or of the team) in one replica. A metric that does not exist here is absent, never 0. */
export interface MetricRow {
  /** 0 = measured before the first update (after the warm start); i ≥ 1 = iteration i. */
  readonly iteration: number;
  readonly arm: string;
  readonly seed: number;
  /** Agent id, or `team`. */
  readonly agent: string;
  /** May hold NaN and ±Infinity: they are shown as such. */
  readonly values: Readonly<Partial<Record<MetricKey, number>>>;
}
