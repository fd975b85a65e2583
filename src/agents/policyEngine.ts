import type { DeviceCounts } from '../gpu/deviceMeter';
import type {
  CohortLoad,
  CohortSpec,
  PolicyApi,
  PolicyCheckpoint,
  PolicyInfo,
  ReplicaHyper,
} from '../protocol/policyApi';

/** What a policy runs on: tfjs ops, or the compiled kernels. Behind the door one of them is chosen, counted and kept alive. */

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
