import type {
  ArchitectureSpec,
  Backend,
  ComputeBackend,
  LossSpec,
  OptimizerSpec,
} from '../config/experimentSpec';

/**
 * The door to a policy worker. Axes: R replicas, B turns, T prompt tokens (right-padded with 0), L action tokens (likewise).
 * Only tokens, lengths, ids, random keys, logprobs, advantages and statistics cross it; no weights, gradients or activations.
 */

/** One replica of the cohort: what may differ between arms and seeds of one architecture. */
export interface ReplicaHyper {
  /** Seed of the initial weights; arms of one seed start from equal weights. */
  readonly seed: number;
  readonly optimizer: OptimizerSpec;
  readonly loss: LossSpec;
}

export interface CohortSpec {
  readonly policyId: string;
  readonly architecture: ArchitectureSpec;
  readonly vocabularySize: number;
  /** Longest prompt plus action of the world: the width of the rotary table and the constant of `constantLength`. */
  readonly maxLength: number;
  readonly maxActionTokens: number;
  readonly backend: ComputeBackend;
}

/** A cohort whose backend may be left to a comparison on the spot. */
export type CohortRequest = Omit<CohortSpec, 'backend'> & { readonly backend: Backend };

/** What an iteration is to be: every rollout of every task writes one turn, in each replica. Engines are timed with it. */
export interface CohortLoad {
  readonly numTasks: number;
  readonly rolloutsPerTask: number;
}

/** One engine of the comparison. */
export interface EngineTimes {
  readonly backend: ComputeBackend;
  /** One `sample` and one `update` of the load. Unit: ms; null where the engine was not timed. */
  readonly sampleMs: number | null;
  readonly updateMs: number | null;
  /** Why it was not timed; null if it was. */
  readonly refusal: string | null;
}

/** How the compiled engine goes from token to token, and what one `sample` of the load took either way. */
export interface DecodingTimes {
  readonly kind: 'batched' | 'persistent';
  /** Unit: ms. */
  readonly batchedMs: number;
  /** Null where the path does not fit into the device's limits. */
  readonly persistentMs: number | null;
}

export interface PolicyInfo {
  /** What it runs on, also where the choice was left to a comparison. */
  readonly backend: ComputeBackend;
  /** Adapter or runtime in words, for the fingerprint of a run. */
  readonly device: string;
  readonly numParameters: number;
  /** Largest deviation from the `cpu` model found by the start-up self-test; null on `cpu` itself. */
  readonly selfTest: { readonly logits: number; readonly gradients: number } | null;
  /** Engines compared for the backend `auto`, the chosen one among them; empty where the backend was set. */
  readonly compared: readonly EngineTimes[];
  /** Null on other engines, and where there was no load to time it with. */
  readonly decoding: DecodingTimes | null;
}

/** Prompts to continue. All arrays are transferred. */
export interface SampleCalls {
  /** [B] index into the replicas of `create`. */
  readonly replicas: Int32Array;
  /** [B, T] */
  readonly promptTokens: Int32Array;
  /** [B] */
  readonly promptLengths: Int32Array;
  readonly promptWidth: number;
  /** [B] how many tokens to write. */
  readonly actionLengths: Int32Array;
  /** [B, 2] key of the turn's sampling noise; the position is its counter. */
  readonly noiseKeys: Uint32Array;
  /** Most likely token instead of a sample. */
  readonly greedy: boolean;
}

export interface SampledTurns {
  /** [B, L] with L = the cohort's maxActionTokens. */
  readonly actionTokens: Int32Array;
  /** [B, L] log-probability of each written token under the sampling policy. Unit: nats. */
  readonly rolloutLogprobs: Float32Array;
}

/** Written turns. All arrays are transferred. */
export interface ScoreTurns {
  /** [B] index into the replicas of `create`. */
  readonly replicas: Int32Array;
  /** [B, T] */
  readonly promptTokens: Int32Array;
  /** [B] */
  readonly promptLengths: Int32Array;
  readonly promptWidth: number;
  /** [B, L] */
  readonly actionTokens: Int32Array;
  /** [B] */
  readonly actionLengths: Int32Array;
  readonly actionWidth: number;
}

/** Turns to learn from. All arrays are transferred. */
export interface UpdateBatch extends ScoreTurns {
  /** `policyGradient` uses logprobs and advantages; `supervised` is cross-entropy on the action tokens. */
  readonly objective: 'policyGradient' | 'supervised';
  /** [R] learning rate of each replica in this call. A replica without turns in the batch is left untouched. */
  readonly learningRates: Float64Array;
  /** [B] index of the agent among the workflow's agents. */
  readonly agents: Int32Array;
  /** [B, L] the ratio's denominator. Unit: nats. */
  readonly oldLogprobs: Float32Array;
  /** [B, L] constant factors on the token losses, not on KL penalty, entropy and statistics; they do not change what is divided by. */
  readonly lossFactors: Float32Array;
  /** [B] which optimizer step of an epoch the turn belongs to: 0 … loss.numMinibatches − 1. */
  readonly minibatches: Int32Array;
  /** [B] > 0, how often the turn counts in loss and statistics; 1 unless the estimator aligns sub-trajectories. */
  readonly weights: Float32Array;
  /** [B] one per turn. Unit: group standard deviations (or reward units where the estimator does not scale). */
  readonly advantages: Float32Array;
}

/** What one agent's turns did to the policy of one replica in one `update`. Means are over its updates. */
export interface AgentUpdateStats {
  readonly replica: number;
  readonly agent: number;
  readonly gradNorm: number;
  readonly gradNormMax: number;
  /** With the sum of the other agents' parts; null where no other agent shares the policy. */
  readonly gradCosine: number | null;
  /** With the part of each agent that shares the policy. */
  readonly gradCosines: readonly { readonly agent: number; readonly cosine: number }[];
  readonly updateSkipped: number;
  readonly policyLoss: number;
  /** nats per token */
  readonly entropy: number;
  /** nats; k3 after the last update */
  readonly approxKl: number;
  readonly clipFraction: number;
  readonly clipFractionLow: number;
  readonly clipFractionHigh: number;
  /** nats, k3 per token; null without a reference. */
  readonly refKl: number | null;
  /**
   * k3 between the sampler's log-probabilities and those of the update's first forward pass, before any step. Unit: nats.
   * Null where the agent had no turn in the first minibatch.
   */
  readonly samplerMismatch: number | null;
  /** 0..1: (Σρ)²/(n Σρ²) of the same ratios. */
  readonly effectiveSampleSize: number | null;
}

export interface UpdateStats {
  readonly agents: readonly AgentUpdateStats[];
}

/**
 * Gradients of one replica's segments, told by their inner products. Device sums are float32; what is added from them here is float64.
 * NaN and ±Infinity where a segment's gradient has them.
 */
export interface SegmentGradients {
  readonly replica: number;
  /** [S] ids of the segments that have turns, ascending. */
  readonly segments: readonly number[];
  /** [S, S] inner products of the segments' gradients; symmetric. */
  readonly products: Float64Array;
  /** [S, tensors] squared norm of each segment's gradient over each parameter tensor, in the order of the policy's parameters. */
  readonly tensorSquares: Float64Array;
}

/** What a policy has done since `create`: counts that only grow, and the memory it holds now. */
export interface PolicyUsage {
  /** Action tokens drawn. */
  readonly sampledTokens: number;
  /** Prompt and action tokens of the turns learned from, times the passes over them. */
  readonly trainedTokens: number;
  /** Wall time spent inside `sample` and `update`. Unit: ms. */
  readonly sampleMs: number;
  readonly updateMs: number;
  /** Part of it in which this thread prepared and issued work rather than waited. Unit: ms; null where it is not measured apart. */
  readonly sampleHostMs: number | null;
  readonly updateHostMs: number | null;
  /** What their compute passes took on the device by its own clock, as far as it has told. Unit: ms; null without a clock. */
  readonly sampleDeviceMs: number | null;
  readonly updateDeviceMs: number | null;
  /** Launches of compute kernels, and submissions to the device; null off the GPU. */
  readonly numDispatches: number | null;
  readonly numSubmits: number | null;
  /** Memory on the device at the moment. Unit: bytes; null off the GPU. */
  readonly gpuBytes: number | null;
  readonly numBuffers: number | null;
  /** Kernels compiled so far; null off the GPU. */
  readonly numPipelines: number | null;
}

/** Implemented by `agents/`; reached through a message port, or in-process in tests. A lost device rejects with a `DeviceLostError`. */
export interface PolicyApi {
  /** @param load for the backend `auto` and the way of sampling; without it `auto` takes the first engine that starts */
  create(
    cohort: CohortRequest,
    replicas: readonly ReplicaHyper[],
    load?: CohortLoad,
  ): Promise<PolicyInfo>;
  sample(calls: SampleCalls): Promise<SampledTurns>;
  update(batch: UpdateBatch): Promise<UpdateStats>;
  /**
   * A dry pass: gradients of the batch's loss at the present weights, part by part, of which only numbers come back. Changes neither
   * weights nor optimizer. `agents` of the batch may number any segments, not only agents; segments add up to the gradient of the
   * whole. Minibatches and learning rates are ignored: everything is one minibatch. One entry a replica that has turns.
   */
  segmentGradients(batch: UpdateBatch): Promise<readonly SegmentGradients[]>;
  /**
   * [B, L] log-probability of each written token under the present weights or the reference; 0 beyond an action's length. Unit: nats.
   * @throws Error for the reference of a replica that has none, and where weights have diverged.
   */
  score(turns: ScoreTurns, under: 'current' | 'reference'): Promise<Float32Array>;
  /**
   * [B, T] how much each prompt token bears on what was written after it: ‖∂L/∂e‖₂ of the turn's L = −Σ log π(action token) with respect to
   * the embedding e of the token at its place, at the present weights; 0 beyond a prompt's length. Unit: nats per unit of embedding.
   * Not finite where the gradient is not. Changes nothing.
   */
  promptInfluence(turns: ScoreTurns): Promise<Float32Array>;
  /**
   * What the next calls learn with; weights, optimizer state and reference stay. One entry a replica of `create`, with its seed and its
   * kind of optimizer, and with a KL penalty only where it had one before. Touches no device.
   * @throws Error where there is another number of replicas or another kind of optimizer
   */
  setHypers(replicas: readonly ReplicaHyper[]): Promise<void>;
  /** Freezes the present weights as the reference of the KL penalty, in loss or reward, for replicas that have one. */
  keepReference(): Promise<void>;
  /** Remembers weights, reference and optimizer off the device under this number, and those of the number before; forgets the others. */
  keepCheckpoint(checkpoint: number): Promise<void>;
  /**
   * Goes back to them; after a lost device on a new one, or on the processor where there is none.
   * @throws Error where there is no such checkpoint
   */
  restoreCheckpoint(checkpoint: number): Promise<PolicyInfo>;
  /** What it has done since `create`; resolves at once, whatever is under way. */
  usage(): Promise<PolicyUsage>;
  dispose(): Promise<void>;
}
