import type { CohortLoad, CohortSpec, SampleCalls, UpdateBatch } from '../protocol/policyApi';
import { foldIn, keyFromSeed, uniformInt } from '../rl/rng';

/** Made-up turns of the size of an iteration, to time engines with: one turn of every rollout, prompts as long as they come. */

type Sizes = Pick<CohortSpec, 'vocabularySize' | 'maxLength' | 'maxActionTokens'>;

const loadKey = keyFromSeed(19);

interface Turns {
  /** [B] */
  readonly replicas: Int32Array;
  /** [B, T] the same for all rollouts of a task, as at the start of an episode. */
  readonly promptTokens: Int32Array;
  readonly promptLengths: Int32Array;
  readonly promptWidth: number;
}

function turnsOf(sizes: Sizes, numReplicas: number, load: CohortLoad): Turns {
  const promptWidth = Math.max(1, sizes.maxLength - sizes.maxActionTokens);
  const perReplica = load.numTasks * load.rolloutsPerTask;
  const numTurns = numReplicas * perReplica;
  const promptTokens = new Int32Array(numTurns * promptWidth);
  for (let turn = 0; turn < numTurns; turn++) {
    const task = Math.floor((turn % perReplica) / load.rolloutsPerTask);
    const key = foldIn(loadKey, task);
    for (let place = 0; place < promptWidth; place++)
      promptTokens[turn * promptWidth + place] = uniformInt(key, place, sizes.vocabularySize);
  }
  return {
    replicas: Int32Array.from({ length: numTurns }, (_, turn) => Math.floor(turn / perReplica)),
    promptTokens,
    promptLengths: new Int32Array(numTurns).fill(promptWidth),
    promptWidth,
  };
}

/** What one `sample` of an iteration is asked for. */
export function callsOf(sizes: Sizes, numReplicas: number, load: CohortLoad): SampleCalls {
  const turns = turnsOf(sizes, numReplicas, load);
  const numTurns = turns.replicas.length;
  const noiseKeys = new Uint32Array(2 * numTurns);
  for (let turn = 0; turn < numTurns; turn++) noiseKeys.set(foldIn(loadKey, 1, turn), 2 * turn);
  const actionLengths = new Int32Array(numTurns).fill(sizes.maxActionTokens);
  return { ...turns, actionLengths, noiseKeys, greedy: false };
}

/** What one `update` of an iteration learns from, at a learning rate of 0: random actions, which an untrained policy writes. */
export function batchOf(sizes: Sizes, numReplicas: number, load: CohortLoad): UpdateBatch {
  const turns = turnsOf(sizes, numReplicas, load);
  const numTurns = turns.replicas.length;
  const { vocabularySize, maxActionTokens } = sizes;
  const numTokens = numTurns * maxActionTokens;
  const key = foldIn(loadKey, 2);
  return {
    ...turns,
    objective: 'policyGradient',
    learningRates: new Float64Array(numReplicas),
    agents: new Int32Array(numTurns),
    minibatches: new Int32Array(numTurns),
    weights: new Float32Array(numTurns).fill(1),
    actionTokens: Int32Array.from({ length: numTokens }, (_, i) =>
      uniformInt(key, i, vocabularySize),
    ),
    actionLengths: new Int32Array(numTurns).fill(maxActionTokens),
    actionWidth: maxActionTokens,
    oldLogprobs: new Float32Array(numTokens).fill(-Math.log(vocabularySize)),
    advantages: Float32Array.from({ length: numTurns }, (_, turn) => (turn % 2 === 0 ? 1 : -1)),
    lossFactors: new Float32Array(numTokens).fill(1),
  };
}
