import type { DetailsTable } from './field';

const entropulse =
  'Entropulse: ComputerRL (arXiv 2508.14040), as described in secondary sources; not verified against the primary text';
const seal =
  'SEAL (arXiv 2605.24426), from the authors’ code (`agentevolver/module/tocf/apatch.py`); not compared with the paper’s text';

/** Formula and source of every choice of rollouts, pulses and tags, and of the optimizer. */
export const scheduleDetails = {
  'groups.sampling': {
    parallel: {
      formula: 'group size whole episodes of each task',
      source: 'GRPO: Shao et al. 2024 (arXiv 2402.03300) §4.1',
    },
    tree: {
      formula:
        'group size branches of each turn from one state; r = α·r_team + r_local; the best continues',
      source:
        'AT-GRPO: Stronger-MAS (arXiv 2510.11062), as described in secondary sources; not verified against the primary text',
    },
    expand: {
      formula:
        'group size branches of each turn, all go on; V(turn) = mean of V(children), V(last) = R',
      source:
        'MALT: Motwani et al. 2024 (arXiv 2412.01928), as described in secondary sources; not verified against the primary text',
      note: 'MALT labels turns by V > ½ for imitation; here V is the reward that turns from one state are compared by. Training success counts leaves.',
    },
  },
  'pulses.kind': {
    none: { formula: null, source: 'GRPO, Dr. MAS', note: 'Reinforcement learning alone.' },
    entropy: { formula: 'a pulse when mean token entropy < bound', source: entropulse },
    period: {
      formula: 'a pulse after every n iterations',
      source: `${entropulse}; a fixed period is ours`,
    },
  },
  'pulses.source': {
    all: {
      formula: null,
      source: entropulse,
      note: 'A random pick of the successful rollouts of the run so far.',
    },
    latest: {
      formula: null,
      source: 'ours',
      note: 'The control: successes of the present policy alone.',
    },
  },
  'failureTags.kind': {
    none: { formula: 'A', source: 'GRPO, Dr. MAS' },
    seal: {
      formula: 'A·clamp(mean over the trajectory’s turns of w[tag], least, largest)',
      source: seal,
    },
  },
  'failureTags.applyTo': {
    all: { formula: 'every A', source: seal },
    positive: { formula: 'A > 0', source: seal },
    negative: { formula: 'A < 0', source: seal },
  },
  'policies.*.optimizer.kind': {
    adamw: {
      formula: 'θ ← θ − lr·(m̂/(√v̂ + ε) + decay·θ)',
      source: 'Loshchilov and Hutter 2019; PyTorch `AdamW`',
    },
    sgd: { formula: 'v ← momentum·v + g; θ ← θ − lr·v', source: 'PyTorch `SGD`' },
  },
} as const satisfies DetailsTable;
