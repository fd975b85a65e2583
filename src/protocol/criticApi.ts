import type { ArchitectureSpec, ComputeBackend } from '../config/experimentSpec';

/**
 * The door to a critic worker: value networks, one a replica, shared by the agents of its team. Axes: B sequences, T tokens
 * (right-padded with 0), S steps. Only tokens, lengths, ids, values, targets and statistics cross it, but for checkpoints that are
 * asked for.
 */

export interface CriticSpec {
  /** Of the body; the head is a value's. */
  readonly architecture: ArchitectureSpec;
  readonly vocabularySize: number;
  /** Longest sequence. */
  readonly maxLength: number;
  readonly backend: ComputeBackend;
}

/** One replica's value network. */
export interface CriticHyper {
  /** Seed of the initial weights. */
  readonly seed: number;
  readonly learningRate: number;
  /** Optimizer steps of one `update`, each on all of the replica's steps. */
  readonly numEpochs: number;
  /** A value counts as no further than this from its old value; null = off. Unit: reward. */
  readonly valueClip: number | null;
}

/** What to value. The value of a step is the sum of the values of its sequences: one of them, or one an agent (VDN). Transferred. */
export interface CriticInputs {
  /** [B] index into the replicas of `create`; the same for all sequences of a step. */
  readonly replicas: Int32Array;
  /** [B] 0 … numSteps − 1, rising: the step that the sequence belongs to. Every step has one at least. */
  readonly steps: Int32Array;
  /** S */
  readonly numSteps: number;
  /** [B, T] */
  readonly tokens: Int32Array;
  /** [B] ≥ 1 */
  readonly lengths: Int32Array;
  readonly width: number;
}

/** What the values are to become. Transferred. */
export interface CriticTargets {
  /** [S] before the update. Unit: reward. */
  readonly oldValues: Float32Array;
  /** [S] Unit: reward. */
  readonly returns: Float32Array;
}

/** What one replica's value network did in one `update`. Means are over its epochs. */
export interface CriticUpdateStats {
  readonly replica: number;
  /** Unit: reward². */
  readonly valueLoss: number;
  /** Before the step; there is no clipping. */
  readonly gradNorm: number;
  /** Epochs whose gradient was not finite: they changed nothing. */
  readonly updateSkipped: number;
}

/** Weights and optimizer of all networks, off the device. Axes: R replicas, P parameters in the order of `valueParameterSpecs`. */
export interface CriticCheckpoint {
  /** [R, P] each. */
  readonly weights: Float32Array<ArrayBuffer>;
  readonly moments1: Float32Array<ArrayBuffer>;
  readonly moments2: Float32Array<ArrayBuffer>;
  /** [R] steps taken. */
  readonly counts: Float32Array<ArrayBuffer>;
}

/** Implemented by `agents/`; reached through a message port, or in-process in tests. A lost device rejects with a `DeviceLostError`. */
export interface CriticApi {
  create(spec: CriticSpec, replicas: readonly CriticHyper[]): Promise<void>;
  /** [S] Unit: reward. */
  values(inputs: CriticInputs): Promise<Float32Array>;
  update(inputs: CriticInputs, targets: CriticTargets): Promise<readonly CriticUpdateStats[]>;
  /** Remembers weights and optimizer off the device under this number, and those of the number before; forgets the others. */
  keepCheckpoint(checkpoint: number): Promise<void>;
  /** Goes back to them; after a lost device on the processor. Throws an Error where there is no such checkpoint. */
  restoreCheckpoint(checkpoint: number): Promise<void>;
  /** A copy of what is remembered under this number. Throws an Error where there is no such checkpoint. Transferred. */
  copyCheckpoint(checkpoint: number): Promise<CriticCheckpoint>;
  /** Remembers `numbers` of the same networks under this number, to be restored. Transferred. */
  putCheckpoint(checkpoint: number, numbers: CriticCheckpoint): Promise<void>;
  dispose(): Promise<void>;
}
