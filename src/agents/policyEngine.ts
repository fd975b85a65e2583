import type { DeviceCounts } from '../gpu/deviceMeter';
import type {
  CohortLoad,
  CohortSpec,
  PolicyApi,
  PolicyInfo,
  ReplicaHyper,
} from '../protocol/policyApi';

/** What a policy runs on: tfjs ops, or the compiled kernels. Behind the door one of them is chosen, counted and kept alive. */

/**
 * Weights and optimizer of all replicas, off the device; the same for every engine. Axes: R replicas, P parameters in the order of
 * `parameterSpecs`.
 */
export interface PolicyCheckpoint {
  /** [R, P] */
  readonly weights: Float32Array<ArrayBuffer>;
  /** [R, P] AdamW's first moments, or SGD's velocities. */
  readonly moments1: Float32Array<ArrayBuffer>;
  /** [R, P] AdamW's second moments; 0 for SGD. */
  readonly moments2: Float32Array<ArrayBuffer>;
  /** [R] steps taken. */
  readonly counts: Float32Array<ArrayBuffer>;
  /** [R, 2] 1 − β1^t and 1 − β2^t as the engine has them; 0 where nothing was taken yet, and for SGD. */
  readonly corrections: Float32Array<ArrayBuffer>;
  /** [R, P] frozen weights of the KL penalty, 0 for replicas without; null where nothing was kept. */
  readonly reference: Float32Array<ArrayBuffer> | null;
}

/** What a device adds to the counts of tokens and time. */
export interface DeviceUsage {
  counts(): DeviceCounts;
  /** Time of each kind of call in which this thread prepared and issued work rather than waited. Unit: ms. */
  hostMs(): { readonly sample: number; readonly update: number };
  /** Time that their compute passes took on the device, by its own clock. Unit: ms; null without one. */
  deviceMs(): { readonly sample: number | null; readonly update: number | null };
}

/** See `PolicyApi` for what the calls do. */
export interface PolicyEngine extends Pick<
  PolicyApi,
  | 'sample'
  | 'update'
  | 'segmentGradients'
  | 'score'
  | 'promptInfluence'
  | 'setHypers'
  | 'keepReference'
  | 'dispose'
> {
  create(
    spec: CohortSpec,
    replicas: readonly ReplicaHyper[],
    load?: CohortLoad,
  ): Promise<PolicyInfo>;
  /** What the next update would start from. */
  checkpoint(): Promise<PolicyCheckpoint>;
  /** Of the same cohort, whatever engine it was taken from. */
  restore(checkpoint: PolicyCheckpoint): Promise<void>;
  /** Null off the GPU. */
  deviceUsage(): DeviceUsage | null;
}
