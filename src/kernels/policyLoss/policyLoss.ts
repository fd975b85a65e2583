import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import gradientSource from './logitGradient.wgsl?raw';
import siteSource from './siteStats.wgsl?raw';
import sumSource from './sumStats.wgsl?raw';
import logprobSource from './tokenLogprobs.wgsl?raw';
import turnSource from './turnLoss.wgsl?raw';

/** What a policy learns from: the loss of a replica's turns and its gradient by the logits. */

type LossKind = 'supervised' | 'clip' | 'gspo' | 'gspoToken' | 'cispo' | 'sapo';

/** One replica's loss. */
export interface LossHyper {
  readonly kind: LossKind;
  /** Smallest and largest ratio (CISPO: weight). */
  readonly low: number;
  readonly high: number;
  /** null = off. */
  readonly dualClip: number | null;
  readonly tauPositive: number;
  readonly tauNegative: number;
  /** Of the KL penalty in the loss; 0 = none. */
  readonly klCoef: number;
  readonly klEstimator: 'k1' | 'k2' | 'k3' | 'k3ValueK2Gradient';
  /** null = off. Unit: nats. */
  readonly maxMeanLogRatio: number | null;
  /** Times the slice's share of the policy's tokens. */
  readonly entropyCoef: number;
}

const kinds: readonly LossKind[] = ['supervised', 'clip', 'gspo', 'gspoToken', 'cispo', 'sapo'];
const klEstimators: readonly LossHyper['klEstimator'][] = ['k1', 'k2', 'k3', 'k3ValueK2Gradient'];

/** float32 [R, 10] as the kernels read them. */
export function packLosses(losses: readonly LossHyper[]): Float32Array<ArrayBuffer> {
  return Float32Array.from(
    losses.flatMap((loss) => [
      kinds.indexOf(loss.kind),
      loss.low,
      loss.high,
      loss.dualClip ?? 0,
      loss.tauPositive,
      loss.tauNegative,
      loss.klCoef,
      1 + klEstimators.indexOf(loss.klEstimator),
      loss.maxMeanLogRatio ?? -1,
      loss.entropyCoef,
    ]),
  );
}

/** An action token as the kernels read it: 7 numbers of 4 bytes. */
export interface LossToken {
  /** Site of the logits it was drawn from; −1 = padding. */
  readonly site: number;
  readonly token: number;
  /** Unit: nats. */
  readonly oldLogprob: number;
  readonly refLogprob: number;
  /** Of the surrogate, and of the KL penalty. */
  readonly lossWeight: number;
  readonly klWeight: number;
  /** Of the statistics; 1 over all tokens of the slice. */
  readonly share: number;
}

/** [tokens, 7] ids as int32, the rest as float32. */
export function packLossTokens(tokens: readonly LossToken[]): Int32Array<ArrayBuffer> {
  const ids = new Int32Array(7 * tokens.length);
  const floats = new Float32Array(ids.buffer);
  for (const [index, token] of tokens.entries()) {
    const at = 7 * index;
    ids.set([token.site, token.token], at);
    const { oldLogprob, refLogprob, lossWeight, klWeight, share } = token;
    floats.set([oldLogprob, refLogprob, lossWeight, klWeight, share], at + 2);
  }
  return ids;
}

/** Names of a turn's statistics, in their order: means over the tokens once summed over the turns. */
export const turnStats = [
  'policyLoss',
  'clipFractionLow',
  'clipFractionHigh',
  'refKl',
  'drift',
  'ratioSquares',
  'ratioMean',
] as const;

export interface LossShape {
  readonly numReplicas: number;
  /** N */
  readonly numTurns: number;
  /** L */
  readonly maxTokens: number;
  /** K */
  readonly numSites: number;
  /** V */
  readonly vocabularySize: number;
}

export interface LossBuffers {
  /** [R, 10] see `packLosses`. */
  readonly losses: GPUBuffer;
  /** [R, N, L, 7] see `packLossTokens`. */
  readonly tokens: GPUBuffer;
  /** [R, N] */
  readonly advantages: GPUBuffer;
  /** [R, K, V] */
  readonly logits: GPUBuffer;
  /** int32 [R, K + 1] where each site's entries begin, then their number. */
  readonly starts: GPUBuffer;
  /** int32 [R, N·L, 2] cell (turn · L + place) and token of what was drawn, site by site. */
  readonly cells: GPUBuffer;
  /** [R, K] share of the slice's tokens that was drawn at the site. */
  readonly siteShares: GPUBuffer;
  /** [R, K, 2] normaliser and entropy of each site; overwritten. */
  readonly sites: GPUBuffer;
  /** [R, N, L] ∂loss/∂log-probability, or the log-probabilities themselves; overwritten. */
  readonly slopes: GPUBuffer;
  /** [R, N, 7] see `turnStats`; overwritten. */
  readonly stats: GPUBuffer;
  /** [R, 8] sums of these over the turns, then the mean entropy (nats); overwritten. */
  readonly summary: GPUBuffer;
  /** [R, K, V] ∂loss/∂logits; overwritten. */
  readonly gradient: GPUBuffer;
}

function siteStatistics(
  { numReplicas, numSites, vocabularySize }: LossShape,
  { logits, sites }: LossBuffers,
): KernelCall {
  return {
    label: 'site statistics',
    source: siteSource,
    constants: { VOCABULARY: vocabularySize },
    uniforms: [numSites],
    buffers: [logits, sites],
    workgroups: [groupsFor(numSites, 64), 1, numReplicas],
  };
}

/** The log-probabilities [R, N, L] of the tokens into `slopes`, 0 for padding, in two dispatches. Unit: nats. */
export function tokenLogprobCalls(shape: LossShape, buffers: LossBuffers): KernelCall[] {
  const { numReplicas, numTurns, maxTokens, numSites, vocabularySize } = shape;
  const numCells = numTurns * maxTokens;
  return [
    siteStatistics(shape, buffers),
    {
      label: 'token logprobs',
      source: logprobSource,
      constants: { VOCABULARY: vocabularySize },
      uniforms: [numCells, numSites],
      buffers: [buffers.tokens, buffers.logits, buffers.sites, buffers.slopes],
      workgroups: [groupsFor(numCells, 64), 1, numReplicas],
    },
  ];
}

/**
 * Loss of every replica's turns under its own hyper-parameters, in four dispatches; the first three give the statistics alone. Formulas and edge cases are those of
 * `rl/surrogateLoss`, `rl/klPenalty`, `rl/offPolicyMask` and `rl/entropy`, with log-ratios held at ±20.
 */
export function policyLossCalls(shape: LossShape, buffers: LossBuffers): KernelCall[] {
  const { numReplicas, numTurns, maxTokens, numSites, vocabularySize } = shape;
  const { losses, logits, sites, slopes } = buffers;
  return [
    siteStatistics(shape, buffers),
    {
      label: 'turn loss',
      source: turnSource,
      constants: { VOCABULARY: vocabularySize, STATS: turnStats.length },
      uniforms: [numTurns, maxTokens, numSites],
      buffers: [losses, buffers.tokens, buffers.advantages, logits, sites, slopes, buffers.stats],
      workgroups: [groupsFor(numTurns, 64), 1, numReplicas],
    },
    {
      label: 'loss summary',
      source: sumSource,
      constants: { STATS: turnStats.length },
      uniforms: [numTurns, numSites],
      buffers: [buffers.stats, sites, buffers.siteShares, buffers.summary],
      workgroups: [1, 1, numReplicas],
    },
    {
      label: 'logit gradient',
      source: gradientSource,
      constants: { VOCABULARY: vocabularySize },
      uniforms: [numSites, numTurns * maxTokens],
      buffers: [
        losses,
        logits,
        sites,
        buffers.starts,
        buffers.cells,
        slopes,
        buffers.siteShares,
        buffers.gradient,
      ],
      workgroups: [groupsFor(numSites * vocabularySize, 64), 1, numReplicas],
    },
  ];
}
