import type { DetailsTable } from './field';

const gbc =
  'GBC / AgentChord, as described in secondary sources; not verified against the primary text';

/** Formula and source of every choice of what is measured on top. */
export const diagnosticsDetails = {
  'diagnostics.blame': {
    off: { formula: null, source: 'ours', note: 'Nothing is measured.' },
    gradNorm: {
      formula: 'w(j→k, token) = ‖∂(−log π(action of k))/∂e(token)‖₂',
      source: gbc,
      note: 'What a turn keeps, 1 − π, is ours: the sources name no rule, and without one a chain always blames its first agent.',
    },
    occlusion: {
      formula: 'w(j→k) = mean |log π(action of k) − log π(action of k | message of j replaced)|',
      source: `${gbc}; the check by occlusion is ours`,
      note: 'A message is replaced by what stood in its place in up to four other prompts of the agent; its tokens share the weight.',
    },
  },
} as const satisfies DetailsTable;
