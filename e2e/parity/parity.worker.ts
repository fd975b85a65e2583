import { expose } from 'comlink';
import { defaultLosses } from '../../src/config/defaults';
import { createPolicyByBackend } from '../../src/agents/policyByBackend';
import { recordDevices } from '../../src/gpu/testing/recordDevices';
import { isDeviceLost } from '../../src/protocol/deviceLost';
import { criticNumbers, scoredNumbers } from './criticParity';
import type {
  CohortSpec,
  PolicyApi,
  ReplicaHyper,
  SampleCalls,
  UpdateBatch,
} from '../../src/protocol/policyApi';

const hyper: ReplicaHyper = {
  seed: 11,
  optimizer: {
    kind: 'adamw',
    learningRate: 0.003,
    beta1: 0.9,
    beta2: 0.999,
    // Well above the rounding noise of a gradient that is zero: with a tiny ε the first step would be ± learning rate of noise.
    epsilon: 1e-4,
    weightDecay: 0.01,
    maxGradNorm: 1,
  },
  loss: { ...defaultLosses.clip, entropyCoef: 0.01 },
};

const numTurns = 12;

/** Twelve turns of two agents that share the policy; old logprobs near the start policy's, so that clipping acts later on. */
function batchFor(spec: CohortSpec, advantage: (row: number) => number): UpdateBatch {
  const promptWidth = Math.max(1, spec.maxLength - spec.maxActionTokens);
  const actionWidth = spec.maxActionTokens;
  const tokens = (length: number, stride: number): Int32Array =>
    Int32Array.from({ length }, (_, index) => 1 + ((index * stride) % (spec.vocabularySize - 1)));
  return {
    objective: 'policyGradient',
    learningRates: Float64Array.of(0.003),
    replicas: new Int32Array(numTurns),
    agents: Int32Array.from({ length: numTurns }, (_, row) => row % 2),
    promptTokens: tokens(numTurns * promptWidth, 7),
    promptLengths: new Int32Array(numTurns).fill(promptWidth),
    promptWidth,
    actionTokens: tokens(numTurns * actionWidth, 5),
    actionLengths: new Int32Array(numTurns).fill(actionWidth),
    actionWidth,
    minibatches: new Int32Array(numTurns),
    weights: new Float32Array(numTurns).fill(1),
    oldLogprobs: new Float32Array(numTurns * actionWidth).fill(-Math.log(spec.vocabularySize)),
    advantages: Float32Array.from({ length: numTurns }, (_, row) => advantage(row)),
    // Two turns in three count plainly, the others as a correction would have them.
    lossFactors: Float32Array.from({ length: numTurns * actionWidth }, (_, index) =>
      index % 3 === 0 ? 0.5 : 1,
    ),
  };
}

function callsFor(spec: CohortSpec): SampleCalls {
  const { replicas, promptTokens, promptLengths, promptWidth, actionLengths } = batchFor(
    spec,
    () => 0,
  );
  const noiseKeys = Uint32Array.from({ length: 2 * numTurns }, (_, index) => index);
  return {
    replicas,
    promptTokens,
    promptLengths,
    promptWidth,
    actionLengths,
    noiseKeys,
    greedy: true,
  };
}

async function withPolicy<T>(spec: CohortSpec, act: (policy: PolicyApi) => Promise<T>): Promise<T> {
  const policy = createPolicyByBackend({
    now: () => performance.now(),
    gpu: () => navigator.gpu,
  });
  await policy.create(spec, [hyper]);
  const result = await act(policy);
  await policy.dispose();
  return result;
}

const parity = {
  /** Whether a worker, where the policies live, is given a WebGPU adapter. */
  async hasAdapter(): Promise<boolean> {
    return (await navigator.gpu.requestAdapter()) !== null;
  },

  /** Largest deviations of one step from `cpu`; rejects beyond the tolerance. */
  async compareStep(spec: CohortSpec): Promise<{ logits: number; gradients: number }> {
    const policy = createPolicyByBackend({
      now: () => performance.now(),
      gpu: () => navigator.gpu,
    });
    const { selfTest } = await policy.create(spec, [hyper]);
    await policy.dispose();
    if (selfTest === null) throw new Error('The policy was not compared with "cpu".');
    return selfTest;
  },
  /** [10 steps × 2 agents] pre-clip gradient norms of ten steps. */
  trainTenSteps(spec: CohortSpec): Promise<number[]> {
    return withPolicy(spec, async (policy) => {
      const norms: number[] = [];
      for (let step = 0; step < 10; step++) {
        const { agents } = await policy.update(batchFor(spec, (row) => 1.5 - row * 0.3));
        norms.push(...agents.map(({ gradNorm }) => gradNorm));
      }
      return norms;
    });
  },
  criticNumbers,
  scoredNumbers,
  /** Skipped updates of one NaN batch, and the sampled logprobs before and after it. */
  updateWithNaN(spec: CohortSpec): Promise<{ skipped: number; before: number[]; after: number[] }> {
    return withPolicy(spec, async (policy) => {
      const before = await policy.sample(callsFor(spec));
      const { agents } = await policy.update(batchFor(spec, (row) => (row === 3 ? NaN : 1)));
      const after = await policy.sample(callsFor(spec));
      return {
        skipped: Math.max(...agents.map(({ updateSkipped }) => updateSkipped)),
        before: [...before.rolloutLogprobs],
        after: [...after.rolloutLogprobs],
      };
    });
  },
  /** A policy whose device is destroyed over an update, and what it does from its checkpoint, beside what it would have done. */
  async loseDevice(spec: CohortSpec) {
    const devices = recordDevices(navigator.gpu);
    const policy = createPolicyByBackend({
      now: () => performance.now(),
      gpu: () => navigator.gpu,
    });
    await policy.create(spec, [hyper]);
    const iterate = async () => {
      const { agents } = await policy.update(batchFor(spec, (row) => 1.5 - row * 0.3));
      const turns = await policy.sample(callsFor(spec));
      return [...agents.map(({ gradNorm }) => gradNorm), ...turns.rolloutLogprobs];
    };
    await iterate();
    await policy.keepCheckpoint(0);
    const undisturbed = await iterate();
    const underWay = iterate().then(
      () => 'nothing',
      (error: unknown) => (isDeviceLost(error) ? 'lost' : String(error)),
    );
    devices[0]!.destroy();
    const failure = await underWay;
    const { backend } = await policy.restoreCheckpoint(0);
    const recovered = await iterate();
    await policy.dispose();
    return { failure, backend, numDevices: devices.length, undisturbed, recovered };
  },
};

export type ParityApi = typeof parity;

expose(parity);
