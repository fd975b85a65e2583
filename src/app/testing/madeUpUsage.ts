import type { PolicyUsage } from '../../protocol/policyApi';

/** Of a policy that is not on a GPU and has done nothing yet. */
export const noUsage: PolicyUsage = {
  sampledTokens: 0,
  trainedTokens: 0,
  sampleMs: 0,
  updateMs: 0,
  sampleHostMs: null,
  updateHostMs: null,
  sampleDeviceMs: null,
  updateDeviceMs: null,
  numDispatches: null,
  numSubmits: null,
  gpuBytes: null,
  numBuffers: null,
  numPipelines: null,
};
