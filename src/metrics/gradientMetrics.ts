import type { MetricEntry } from './metricEntry';

/** Per agent, where the diagnostics measure gradients on top. All of one minibatch, at the weights that the update starts from. */
export const gradientMetrics = {
  gradNormInUse: {
    label: 'Gradient norm, advantages in use',
    unit: '',
    formula: '‖∇θ Lₖ‖₂ of the whole batch with the estimator’s own advantages',
    meaning:
      'What the other normalizations are to be compared with. Equal to the gradient norm with one update epoch and one minibatch.',
    level: 'agent',
    healthy: 'as the gradient norm',
  },
  gradNormGlobal: {
    label: 'Gradient norm if global per trajectory',
    unit: '',
    formula: '‖∇θ Lₖ‖₂ with A = (r̄ − μ)/(σ + ε) over the task’s trajectories',
    meaning: 'As long as this agent’s gradient would be under vanilla GRPO, on these rollouts.',
    level: 'agent',
    healthy: 'near the agent-wise norm; far above it is the inflation that Dr. MAS describes',
  },
  gradNormGlobalStep: {
    label: 'Gradient norm if global per step',
    unit: '',
    formula: '‖∇θ Lₖ‖₂ with A = (r − μ)/(σ + ε) over the task’s steps',
    meaning: 'As long as this agent’s gradient would be with one baseline for all agents’ steps.',
    level: 'agent',
    healthy: 'near the agent-wise norm',
  },
  gradNormAgentWise: {
    label: 'Gradient norm if agent-wise',
    unit: '',
    formula: '‖∇θ Lₖ‖₂ with A = (r − μₖ)/(σₖ + ε) over the agent’s steps of the task',
    meaning: 'As long as this agent’s gradient would be under Dr. MAS, on these rollouts.',
    level: 'agent',
    healthy: 'steady',
  },
  gradNormCentered: {
    label: 'Gradient norm if centred only',
    unit: '',
    formula: '‖∇θ Lₖ‖₂ with A = r − μₖ over the agent’s steps of the task',
    meaning:
      'As long as this agent’s gradient would be without any division: rewards set its scale.',
    level: 'agent',
    healthy: 'falls as a task is solved by all of its rollouts, or by none',
  },
  conflictMin: {
    label: 'Sharpest conflict with an agent',
    unit: '',
    formula: 'minⱼ≠ₖ ⟨gₖ, gⱼ⟩ / (‖gₖ‖ ‖gⱼ‖)',
    meaning:
      'Cosine with the agent of the same policy whose gradient lies furthest from this one’s. Absent for separate policies.',
    level: 'agent',
    healthy: 'above the low end of its null; below is conflict',
  },
  conflictNullLow: {
    label: 'Low end of the null of the conflict',
    unit: '',
    formula:
      '5 % quantile of the cosines between random halves of either agent’s own turns, 8 splits each, for the pair of the sharpest conflict',
    meaning: 'How far apart chance alone puts two gradients of one direction.',
    level: 'agent',
    healthy: 'near 1; near 0 means too few turns to say',
  },
  spanConflict: {
    label: 'Conflict of first and later turns',
    unit: '',
    formula: '⟨g_first, g_later⟩ / (‖g_first‖ ‖g_later‖)',
    meaning:
      'Whether the agent’s first turn of an episode pulls its weights the same way as its later ones. Absent where it has no later turn.',
    level: 'agent',
    healthy: 'above the low end of its null; below is conflict',
  },
  spanConflictNullLow: {
    label: 'Low end of the null of the spans',
    unit: '',
    formula:
      '5 % quantile of the cosines between random halves of the first turns and of the later turns, 8 splits each',
    meaning: 'How far apart chance alone puts two gradients of one span.',
    level: 'agent',
    healthy: 'near 1; near 0 means too few turns to say',
  },
  gradGini: {
    label: 'Gradient concentration',
    unit: '',
    formula: 'Gini coefficient of ‖∇ Lₖ‖² over the n parameter tensors: Σ(2i − n − 1)x₍ᵢ₎/(nΣx)',
    meaning:
      'How unevenly the squared gradient lies over the parameter tensors. They differ in size, so even noise is above 0: compare over time and arms.',
    level: 'agent',
    healthy: 'steady; towards (n − 1)/n it is all in one tensor',
  },
} as const satisfies Record<string, MetricEntry>;
