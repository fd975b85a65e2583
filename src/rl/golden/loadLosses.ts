import type { Aggregation, PolicyLossBatch, PolicyLossOptions } from '../policyLoss';
import type { StepScores } from '../stepScores';
import { casesOf, onlyCase, toNumber, toNumbers, toRecord, type Case, type Json } from './cases';
import { stepsOf } from './load';

/** [B, T] rows with one advantage each, every weight 1. */
export function batchOf(input: Record<string, Json>, advantages: Float64Array): PolicyLossBatch {
  return {
    logprobs: toNumbers(input['logp'], 'logp'),
    oldLogprobs: toNumbers(input['old_logp'], 'old_logp'),
    mask: Uint8Array.from(toNumbers(input['mask'], 'mask')),
    advantages,
    rowWeights: null,
  };
}

function aggregationOf(name: string, length: number): Aggregation {
  switch (name) {
    case 'token-mean':
      return { kind: 'tokenMean' };
    case 'seq-mean-token-mean':
      return { kind: 'sequenceMean' };
    case 'seq-mean-token-sum':
      return { kind: 'sequenceSum' };
    case 'seq-sum-const':
      return { kind: 'constantLength', length };
    default:
      throw new TypeError(`aggregation is ${name}: expected one of verl's four.`);
  }
}

interface PolicyLossCase extends Case {
  readonly batch: PolicyLossBatch;
  readonly options: Omit<PolicyLossOptions, 'aggregation'>;
  readonly aggregations: {
    readonly aggregation: Aggregation;
    readonly loss: number;
    readonly gradients: Float64Array;
  }[];
  readonly ratios: Float64Array;
  readonly tokenLosses: Float64Array;
  readonly clipFraction: number;
  readonly dualClipFraction: number;
  /** Mean over the mask of oldLogprob − logprob. */
  readonly approxKlK1: number;
}

/** The clipped surrogate in every aggregation. */
export function loadPolicyLoss(): PolicyLossCase[] {
  return casesOf('ppo_clip').map(({ id, tolerance, input, expected }) => {
    const losses = toRecord(expected['loss'], `${id}.loss`);
    const gradients = toRecord(expected['grad_logp'], `${id}.grad_logp`);
    const length = toNumber(input['const_len'], `${id}.const_len`);
    const dualClip = input['dual_clip'] ?? null;
    return {
      id,
      tolerance,
      batch: batchOf(input, toNumbers(input['advantages'], `${id}.advantages`)),
      options: {
        clipLow: toNumber(input['clip_low'], `${id}.clip_low`),
        clipHigh: toNumber(input['clip_high'], `${id}.clip_high`),
        dualClip: dualClip === null ? null : toNumber(dualClip, `${id}.dual_clip`),
      },
      aggregations: Object.entries(losses).map(([name, loss]) => ({
        aggregation: aggregationOf(name, length),
        loss: toNumber(loss, `${id}.${name}`),
        gradients: toNumbers(gradients[name], `${id}.${name}`),
      })),
      ratios: toNumbers(expected['ratio'], `${id}.ratio`),
      tokenLosses: toNumbers(expected['token_loss'], `${id}.token_loss`),
      clipFraction: toNumber(expected['clip_frac'], `${id}.clip_frac`),
      dualClipFraction: toNumber(expected['dual_clip_frac'], `${id}.dual_clip_frac`),
      approxKlK1: toNumber(expected['approx_kl_k1'], `${id}.approx_kl_k1`),
    };
  });
}

interface LengthBiasCase extends Case {
  readonly batch: PolicyLossBatch;
  readonly clip: number;
  /** [B] number of tokens of each sequence. */
  readonly lengths: Float64Array;
  readonly aggregation: Aggregation;
  readonly loss: number;
  readonly gradients: Float64Array;
  /** [B, T] ∂loss/∂tokenLoss */
  readonly tokenWeights: Float64Array;
}

/** Dr. GRPO and GRPO on sequences of unequal length. */
export function loadLengthBias(): LengthBiasCase[] {
  const bias = casesOf('drgrpo').find(({ id }) => id === 'length_and_difficulty_bias');
  if (bias === undefined) throw new RangeError('drgrpo.json lost its case on length bias.');
  const { tolerance, input, expected } = bias;
  const length = toNumber(input['const_len'], 'const_len');
  const named = { dr_grpo: 'seq-sum-const', grpo: 'seq-mean-token-mean' };
  return Object.entries(named).map(([id, aggregation]) => ({
    id,
    tolerance,
    batch: batchOf(input, toNumbers(expected[`${id}_advantages`], `${id}_advantages`)),
    clip: toNumber(input['clip'], 'clip'),
    lengths: toNumbers(input['lengths'], 'lengths'),
    aggregation: aggregationOf(aggregation, length),
    loss: toNumber(expected[`${id}_loss`], `${id}_loss`),
    gradients: toNumbers(expected[`${id}_grad`], `${id}_grad`),
    tokenWeights: toNumbers(expected[`${id}_token_weight`], `${id}_token_weight`),
  }));
}

interface KlFile {
  readonly tolerance: number;
  readonly logprobs: Float64Array;
  readonly refLogprobs: Float64Array;
  /** Of the samples, by the file's name of the quantity. */
  readonly samples: (name: string) => Float64Array;
  readonly logits: Float64Array;
  readonly refLogits: Float64Array;
  /** Of the whole distribution, by the file's name of the quantity; a single number is a list of one. */
  readonly exact: (name: string) => Float64Array;
  /** Names of all expected quantities. */
  readonly names: { readonly samples: string[]; readonly exact: string[] };
}

/** KL estimators on samples and exactly over a categorical. */
export function loadKl(): KlFile {
  const [samples, exact, ...rest] = casesOf('kl');
  if (samples?.id !== 'samples' || exact?.id !== 'categorical_exact' || rest.length > 0)
    throw new RangeError('kl.json has other cases than samples and categorical_exact.');
  return {
    tolerance: samples.tolerance,
    logprobs: toNumbers(samples.input['logp'], 'logp'),
    refLogprobs: toNumbers(samples.input['ref_logp'], 'ref_logp'),
    samples: (name) => toNumbers(samples.expected[name], name),
    logits: toNumbers(exact.input['logits'], 'logits'),
    refLogits: toNumbers(exact.input['ref_logits'], 'ref_logits'),
    exact: (name) => {
      const quantity = exact.expected[name];
      return Array.isArray(quantity)
        ? toNumbers(quantity, name)
        : Float64Array.of(toNumber(quantity, name));
    },
    names: { samples: Object.keys(samples.expected), exact: Object.keys(exact.expected) },
  };
}

interface AgentGradient {
  readonly agent: number;
  readonly numSteps: number;
  /** [actions, features] */
  readonly gradient: Float64Array;
  readonly gradNorm: number;
  /** For a limit of 0.1. */
  readonly clipCoefficient: number;
  readonly gradNormAfterClip: number;
}

interface Lemma {
  readonly agent: number;
  readonly scoreSecondMoment: number;
  readonly inflation: number;
  readonly covariance: number;
  readonly gradientSecondMoment: number;
  readonly gradientRms: number;
}

interface GradNormCase extends Case {
  readonly scores: StepScores;
  readonly epsilon: number;
  /** Per agent: [actions, features] */
  readonly weights: Float64Array[];
  /** [S, features] */
  readonly observations: Float64Array;
  /** [S] */
  readonly actions: Int32Array;
  readonly modes: {
    readonly scope: 'task' | 'taskAgent';
    readonly ddof: 0 | 1;
    readonly advantages: Float64Array;
    readonly agents: AgentGradient[];
    readonly totalGradNorm: number;
  }[];
  readonly lemma: Lemma[];
}

/** Two linear-softmax policies with exact gradients and the two sides of Lemma 4.2. */
export function loadGradNorm(): GradNormCase {
  const { id, tolerance, input, expected } = onlyCase('grad_norm');
  const steps = stepsOf(input['steps'], 'steps');
  const weights = toRecord(input['W'], 'W');
  return {
    id,
    tolerance,
    scores: steps.scores,
    epsilon: toNumber(input['eps'], 'eps'),
    weights: steps.agents.map((agent) => toNumbers(weights[agent], agent)),
    observations: toNumbers(input['x'], 'x'),
    actions: Int32Array.from(toNumbers(input['actions'], 'actions')),
    modes: Object.entries(toRecord(expected['modes'], 'modes')).map(([key, json]) => {
      const mode = toRecord(json, key);
      return {
        scope: key.startsWith('muk') ? 'taskAgent' : 'task',
        ddof: key.endsWith('ddof0') ? 0 : 1,
        advantages: toNumbers(mode['advantages'], `${key}.advantages`),
        agents: Object.entries(toRecord(mode['agents'], `${key}.agents`)).map(([name, agent]) =>
          agentGradientOf(steps.agents.indexOf(name), toRecord(agent, name)),
        ),
        totalGradNorm: toNumber(mode['total_grad_norm'], `${key}.total_grad_norm`),
      };
    }),
    lemma: Object.entries(toRecord(expected['lemma_4_2'], 'lemma_4_2')).map(([name, json]) =>
      lemmaOf(steps.agents.indexOf(name), toRecord(json, name)),
    ),
  };
}

function agentGradientOf(agent: number, json: Record<string, Json>): AgentGradient {
  return {
    agent,
    numSteps: toNumber(json['n_steps'], 'n_steps'),
    gradient: toNumbers(json['grad'], 'grad'),
    gradNorm: toNumber(json['grad_norm'], 'grad_norm'),
    clipCoefficient: toNumber(json['clip_coef_max_norm_0_1'], 'clip_coef_max_norm_0_1'),
    gradNormAfterClip: toNumber(json['grad_norm_after_clip'], 'grad_norm_after_clip'),
  };
}

function lemmaOf(agent: number, json: Record<string, Json>): Lemma {
  return {
    agent,
    scoreSecondMoment: toNumber(json['E_z2'], 'E_z2'),
    inflation: toNumber(json['inflation'], 'inflation'),
    covariance: toNumber(json['delta_cov'], 'delta_cov'),
    gradientSecondMoment: toNumber(json['E_g2'], 'E_g2'),
    gradientRms: toNumber(json['rms_per_step_grad'], 'rms_per_step_grad'),
  };
}
