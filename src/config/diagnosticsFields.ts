import type { Field } from './field';

/** What is measured on top of what training itself reports. Nothing here changes a training. */
export const diagnosticsFields = {
  'diagnostics.counterfactualNorms': {
    kind: 'flag',
    label: 'Other norms',
    help: 'Each agent’s gradient norm as it would be, on these very rollouts and weights, had the advantages been normalized per task over trajectories, per task over steps, agent-wise (Dr. MAS), or centred only. Costs five more passes over the batch.',
  },
  'diagnostics.gradientConflict': {
    kind: 'flag',
    label: 'Conflict',
    help: 'Cosines between the gradients of agents that share a policy, and between the first turn and the later ones of an agent, beside the cosines that random halves of the same turns have: a conflict is an angle that chance does not make. Costs one more pass over the batch for each random split.',
  },
  'diagnostics.gradientConcentration': {
    kind: 'flag',
    label: 'Concentration',
    help: 'How unevenly an agent’s squared gradient norm lies over the parameter tensors, as a Gini coefficient: 0 evenly, near 1 all in one tensor. Costs one more pass over the batch.',
  },
  'diagnostics.blame': {
    kind: 'choice',
    label: 'Blame',
    help: 'Which turn the failed episodes among the kept ones can be traced to: a graph of who read what of whom, along which blame flows back from the last turn. A turn keeps 1 − π(its action), what it would not have written again, and hands the rest to the messages that it read. One that is wrong and sure of it is not seen. Not for trees of branches.',
    options: { off: 'off', gradNorm: 'gradient norm', occlusion: 'occlusion' },
  },
  'diagnostics.every': {
    kind: 'integer',
    label: 'Measure every',
    help: 'Iterations whose number is a multiple of this are measured; the others cost nothing.',
    unit: 'iterations',
    min: 1,
    max: 100_000,
    step: 1,
  },
} as const satisfies Record<string, Field>;
