import type { PolicyLossBatch } from '../lossBatch';
import type { SampledTokens } from '../samplerWeights';
import type { SurrogateSpec } from '../surrogateLoss';
import { casesOf, toList, toNumber, toNumbers, toRecord, type Case, type Json } from './cases';
import { batchOf } from './loadLosses';

interface SurrogateCase extends Case {
  readonly batch: PolicyLossBatch;
  readonly spec: SurrogateSpec;
  readonly loss: number;
  readonly gradients: Float64Array;
}

function surrogateCase(
  { id, tolerance, input, expected }: ReturnType<typeof casesOf>[number],
  spec: SurrogateSpec,
): SurrogateCase {
  return {
    id,
    tolerance,
    batch: batchOf(input, toNumbers(input['advantages'], `${id}.advantages`)),
    spec,
    loss: toNumber(expected['loss'], `${id}.loss`),
    gradients: toNumbers(expected['grad_logp'], `${id}.grad_logp`),
  };
}

interface GspoCase {
  readonly common: SurrogateCase;
  /** [B] */
  readonly sequenceRatios: Float64Array;
  /** [B] */
  readonly sequenceLosses: Float64Array;
  /** [B] */
  readonly isClipped: boolean[];
}

/** The clip of sequence ratios. */
export function loadGspo(): GspoCase[] {
  return casesOf('gspo').map((raw) => ({
    common: surrogateCase(raw, {
      kind: 'gspo',
      clipLow: toNumber(raw.input['clip_low'], 'clip_low'),
      clipHigh: toNumber(raw.input['clip_high'], 'clip_high'),
      aggregation: { kind: 'sequenceMean' },
    }),
    sequenceRatios: toNumbers(raw.expected['seq_ratio'], 'seq_ratio'),
    sequenceLosses: toNumbers(raw.expected['seq_loss'], 'seq_loss'),
    isClipped: toList(raw.expected['clipped_seq'], 'clipped_seq').map((flag) => flag === true),
  }));
}

interface CispoCase {
  readonly common: SurrogateCase;
  /** [B, T] */
  readonly clippedRatios: Float64Array;
  readonly tokenLosses: Float64Array;
  readonly clipFraction: number;
  readonly ratioMin: number;
  readonly ratioMax: number;
}

/** Clipped weights. A lower bound of 0 is TRL's convention, any other that of verl. */
export function loadCispo(): CispoCase[] {
  return casesOf('cispo').map((raw) => {
    const ratioMin = toNumber(raw.input['ratio_min'], 'ratio_min');
    const ratioMax = toNumber(raw.input['ratio_max'], 'ratio_max');
    const band = { kind: 'band', clipLow: 1 - ratioMin, clipHigh: ratioMax - 1 } as const;
    return {
      common: surrogateCase(raw, {
        kind: 'cispo',
        bounds: ratioMin === 0 ? { kind: 'absoluteHigh', high: ratioMax } : band,
        aggregation: { kind: 'tokenMean' },
      }),
      clippedRatios: toNumbers(raw.expected['clipped_ratio'], 'clipped_ratio'),
      tokenLosses: toNumbers(raw.expected['token_loss'], 'token_loss'),
      clipFraction: toNumber(raw.expected['clip_frac'], 'clip_frac'),
      ratioMin,
      ratioMax,
    };
  });
}

function caseOf(name: string, id: string): ReturnType<typeof casesOf>[number] {
  const found = casesOf(name).find((raw) => raw.id === id);
  if (found === undefined) throw new RangeError(`${name}.json lost its case ${id}.`);
  return found;
}

interface DapoFile {
  readonly overlong: {
    readonly lengths: Float64Array;
    readonly limit: { maxTokens: number; cacheTokens: number; maxPenalty: number };
    readonly penalties: Float64Array;
  };
  readonly sampling: {
    readonly rewards: Float64Array;
    readonly groupIds: Int32Array;
    /** [B] */
    readonly keep: boolean[];
    readonly zeroStdGroupFraction: number;
  };
  readonly clipHigher: SurrogateCase & { ratios: Float64Array; clipFraction: number };
  readonly microbatches: {
    /** [from, to) in sequences */
    readonly ranges: readonly (readonly [number, number])[];
    readonly loss: number;
    readonly meanOfMeans: number;
  };
}

/** The four pieces of DAPO. */
export function loadDapo(): DapoFile {
  const overlong = caseOf('dapo', 'soft_overlong_penalty');
  const clipHigher = caseOf('dapo', 'clip_higher_token_mean');
  const microbatches = caseOf('dapo', 'token_mean_microbatches');
  return {
    overlong: {
      lengths: toNumbers(overlong.input['lengths'], 'lengths'),
      limit: {
        maxTokens: toNumber(overlong.input['max_len'], 'max_len'),
        cacheTokens: toNumber(overlong.input['cache'], 'cache'),
        maxPenalty: toNumber(overlong.input['penalty_factor'], 'penalty_factor'),
      },
      penalties: toNumbers(overlong.expected['penalty'], 'penalty'),
    },
    sampling: samplingOf(caseOf('dapo', 'dynamic_sampling_filter')),
    clipHigher: {
      ...surrogateCase(clipHigher, {
        kind: 'clip',
        clipLow: toNumber(clipHigher.input['clip_low'], 'clip_low'),
        clipHigh: toNumber(clipHigher.input['clip_high'], 'clip_high'),
        dualClip: null,
        aggregation: { kind: 'tokenMean' },
      }),
      ratios: toNumbers(clipHigher.expected['ratio'], 'ratio'),
      clipFraction: toNumber(clipHigher.expected['clip_frac'], 'clip_frac'),
    },
    microbatches: {
      ranges: toList(microbatches.input['microbatches'], 'microbatches').map((json) => {
        const [from = 0, to = 0] = toNumbers(json, 'microbatches');
        return [from, to] as const;
      }),
      loss: toNumber(microbatches.expected['correct'], 'correct'),
      meanOfMeans: toNumber(microbatches.expected['wrong_mean_of_means'], 'wrong_mean_of_means'),
    },
  };
}

function samplingOf({ input, expected }: ReturnType<typeof casesOf>[number]): DapoFile['sampling'] {
  const groups = Object.entries(toRecord(input['groups'], 'groups'));
  const keep = toRecord(expected['keep'], 'keep');
  const rewards = groups.map(([name, json]) => [...toNumbers(json, name)]);
  return {
    rewards: Float64Array.from(rewards.flat()),
    groupIds: Int32Array.from(rewards.flatMap((group, id) => group.map(() => id))),
    keep: rewards.flatMap((group, id) => group.map(() => keep[groups[id]![0]] === true)),
    zeroStdGroupFraction: toNumber(expected['frac_zero_std'], 'frac_zero_std'),
  };
}

function sampledTokensOf(input: Record<string, Json>): SampledTokens {
  return {
    oldLogprobs: toNumbers(input['old_logp'], 'old_logp'),
    rolloutLogprobs: toNumbers(input['rollout_logp'], 'rollout_logp'),
    mask: Uint8Array.from(toNumbers(input['mask'], 'mask')),
    numSequences: toList(input['mask'], 'mask').length,
  };
}

interface TisFile {
  readonly tolerance: number;
  /** Weights by the file's name of them, for limits low and high. */
  readonly weights: {
    readonly tokens: SampledTokens;
    readonly low: number;
    readonly high: number;
    readonly expected: (name: string) => Float64Array;
    readonly number: (name: string) => number;
  };
  /** Cases of weights min(w, high) at token level. */
  readonly truncated: { id: string; tokens: SampledTokens; high: number; weights: Float64Array }[];
  readonly withClip: SurrogateCase & { tokens: SampledTokens; high: number };
}

/** Weights for tokens drawn from a slightly other policy. */
export function loadTis(): TisFile {
  const levels = caseOf('tis', 'token_and_sequence');
  const withClip = caseOf('tis', 'with_ppo');
  const clip = toNumber(withClip.input['clip'], 'clip');
  return {
    tolerance: levels.tolerance,
    weights: {
      tokens: sampledTokensOf(levels.input),
      low: toNumber(levels.input['lo'], 'lo'),
      high: toNumber(levels.input['C'], 'C'),
      expected: (name) => toNumbers(levels.expected[name], name),
      number: (name) => toNumber(levels.expected[name], name),
    },
    truncated: ['identical_policies', 'overflow_guard'].map((id) => {
      const { input, expected } = caseOf('tis', id);
      return {
        id,
        tokens: sampledTokensOf(input),
        high: toNumber(input['C'], 'C'),
        weights: toNumbers(expected['token_truncate'], 'token_truncate'),
      };
    }),
    withClip: {
      ...surrogateCase(withClip, {
        kind: 'clip',
        clipLow: clip,
        clipHigh: clip,
        dualClip: null,
        aggregation: { kind: 'tokenMean' },
      }),
      tokens: sampledTokensOf(withClip.input),
      high: toNumber(withClip.input['C'], 'C'),
    },
  };
}

interface KickstartCase extends Case {
  readonly teacherLogprobs: Float64Array;
  readonly studentLogits: Float64Array;
  readonly crossEntropy: number;
  readonly crossEntropyGradients: Float64Array;
  /** KL(teacher ‖ student) */
  readonly forwardKl: number;
  readonly reverseKl: number;
  readonly reverseKlGradients: Float64Array;
}

/** A teacher and a student over three tokens. */
export function loadKickstart(): KickstartCase {
  const { id, tolerance, input, expected } = caseOf('extras', 'kickstart');
  return {
    id,
    tolerance,
    teacherLogprobs: toNumbers(input['teacher_probs'], 'teacher_probs').map(Math.log),
    studentLogits: toNumbers(input['student_logits'], 'student_logits'),
    crossEntropy: toNumber(expected['cross_entropy'], 'cross_entropy'),
    crossEntropyGradients: toNumbers(expected['grad_logits'], 'grad_logits'),
    forwardKl: toNumber(expected['kl_T_S'], 'kl_T_S'),
    reverseKl: toNumber(expected['reverse_kl'], 'reverse_kl'),
    reverseKlGradients: toNumbers(expected['grad_reverse'], 'grad_reverse'),
  };
}
