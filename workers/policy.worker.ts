import { expose, transfer } from 'comlink';
import { createTfjsPolicy } from '../src/agents/tfjsPolicy';
import type { PolicyApi, SampleCalls } from '../src/protocol/policyApi';

const policy = createTfjsPolicy();

const exposed: PolicyApi = {
  ...policy,
  async sample(calls: SampleCalls) {
    const turns = await policy.sample(calls);
    return transfer(turns, [turns.actionTokens.buffer, turns.rolloutLogprobs.buffer]);
  },
};

expose(exposed);
