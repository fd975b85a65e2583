import type { PolicyApi, SampleCalls } from '../../protocol/policyApi';
import { localPolicy } from './runInProcess';

/** A policy that writes the token that `tokenOf` says for each row of a wave, and does nothing else. */
export function scriptedPolicy(tokenOf: (calls: SampleCalls, row: number) => number): PolicyApi {
  const { api } = localPolicy();
  return {
    ...api,
    sample: (calls: SampleCalls) => {
      const actionTokens = Int32Array.from(calls.replicas, (_, row) => tokenOf(calls, row));
      const rolloutLogprobs = new Float32Array(actionTokens.length);
      return Promise.resolve({ actionTokens, rolloutLogprobs });
    },
  };
}
