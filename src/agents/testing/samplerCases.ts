import * as tf from '@tensorflow/tfjs-core';
import { defaultLosses } from '../../config/defaults';
import type { ArchitectureSpec } from '../../config/experimentSpec';
import type { PipelineCache } from '../../gpu/plan';
import { normals } from '../../gpu/testing/arrays';
import type { CohortSpec, ReplicaHyper, SampleCalls, SampledTurns } from '../../protocol/policyApi';
import { foldIn, keyFromSeed, uniformInt } from '../../rl/rng';
import { createCompiledState, type CompiledState } from '../compiledState';
import { plainSgd, smallArchitecture, smallCohort, toSampleCalls } from '../golden/smallCohort';
import { parameterSpecs, sizeOf } from '../parameters';
import { createCohortModel, createReplica, disposeReplica, type ReplicaState } from '../replica';
import { sampleTurns } from '../sampleTurns';
import { selectBackend } from '../tfjsBackend';

/** Policies of several replicas and calls of them, for the device's samplers and the CPU's alike. */

const maxActionTokens = 4;

export function cohortOf(changes: Partial<ArchitectureSpec>): CohortSpec {
  const architecture = { ...smallArchitecture, ...changes };
  return { ...smallCohort, architecture, maxLength: 48, maxActionTokens };
}

function hyperOf(seed: number): ReplicaHyper {
  return { seed, optimizer: plainSgd, loss: defaultLosses.clip };
}

/** Weights of the size that training has, gains about 1: logits some units apart, unlike those of initial weights. */
function drawnWeights(
  { architecture, vocabularySize }: CohortSpec,
  replica: number,
): Float32Array<ArrayBuffer>[] {
  return parameterSpecs(architecture, vocabularySize).map(({ shape, initialStd }, index) =>
    normals(100 * replica + index, sizeOf(shape)).map((value) =>
      initialStd === null ? 1 + 0.1 * value : value * Math.max(initialStd, 0.2),
    ),
  );
}

/** On the device, with drawn weights. The caller destroys it. */
export function drawnState(
  cache: PipelineCache,
  cohort: CohortSpec,
  numReplicas: number,
): CompiledState {
  const hypers = Array.from({ length: numReplicas }, (_, seed) => hyperOf(seed));
  const state = createCompiledState(cache, cohort, hypers, () => 0);
  for (const replica of hypers.keys()) {
    let offset = replica * state.numParameters;
    for (const values of drawnWeights(cohort, replica)) {
      cache.device.queue.writeBuffer(state.weights, 4 * offset, values);
      offset += values.length;
    }
  }
  return state;
}

function drawnReplicas(cohort: CohortSpec, numReplicas: number): ReplicaState[] {
  const model = createCohortModel(cohort);
  return Array.from({ length: numReplicas }, (_, seed) => {
    const replica = createReplica(model, hyperOf(seed));
    tf.dispose([...replica.weights]);
    const weights = drawnWeights(cohort, seed).map((values, index) =>
      tf.tensor(values, [...model.parameters[index]!.shape]),
    );
    return { ...replica, weights };
  });
}

/** What the CPU's sampler writes with the same weights, a result a batch. */
export async function turnsOfCpu(
  cohort: CohortSpec,
  numReplicas: number,
  batches: readonly SampleCalls[],
): Promise<SampledTurns[]> {
  await selectBackend('cpu');
  const replicas = drawnReplicas(cohort, numReplicas);
  const turns: SampledTurns[] = [];
  for (const calls of batches)
    turns.push(await sampleTurns(createCohortModel(cohort), replicas, calls));
  for (const replica of replicas) disposeReplica(replica);
  return turns;
}

interface Drawing {
  readonly numCalls: number;
  readonly numReplicas: number;
  readonly longestPrompt: number;
  readonly isGreedy?: boolean;
}

function draw(call: number, at: number, below: number): number {
  return uniformInt(foldIn(keyFromSeed(7), call), at, below);
}

/** Prompts of one to `longestPrompt` tokens, many alike; the first replica has most of the rows; one to four tokens to write. */
export function drawnCalls({
  numCalls,
  numReplicas,
  longestPrompt,
  isGreedy,
}: Drawing): SampleCalls {
  return toSampleCalls(
    Array.from({ length: numCalls }, (_, call) => {
      const prompt = call % 11;
      return {
        replica: Math.max(0, draw(call, 0, 2 * numReplicas) - numReplicas),
        prompt: Array.from({ length: 1 + draw(prompt, 1, longestPrompt) }, (__, i) =>
          draw(prompt, 10 + i, smallCohort.vocabularySize),
        ),
        actionLength: 1 + draw(call, 2, maxActionTokens),
        noise: call,
      };
    }),
    isGreedy,
  );
}

/** Some of the calls, in the given order. */
export function selectCalls(calls: SampleCalls, rows: readonly number[]): SampleCalls {
  const width = calls.promptWidth;
  return {
    ...calls,
    replicas: Int32Array.from(rows, (row) => calls.replicas[row]!),
    promptTokens: Int32Array.from(
      rows.flatMap((row) => [...calls.promptTokens.subarray(row * width, (row + 1) * width)]),
    ),
    promptLengths: Int32Array.from(rows, (row) => calls.promptLengths[row]!),
    actionLengths: Int32Array.from(rows, (row) => calls.actionLengths[row]!),
    noiseKeys: Uint32Array.from(
      rows.flatMap((row) => [...calls.noiseKeys.subarray(2 * row, 2 * row + 2)]),
    ),
  };
}
