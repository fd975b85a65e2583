import type { BufferMaker } from '../gpu/bufferBudget';
import { createStorage, uploadStorage } from '../gpu/buffers';
import type { KernelCall } from '../gpu/kernelCall';
import {
  keepPrompts,
  persistentDecode,
  type PersistentBuffers,
  type PersistentShape,
} from '../kernels/decode/persistentDecode';
import { rotaryAngles } from '../kernels/rotary/rotary';
import type { PassBuffers } from './compiledBuffers';
import type { SamplingShape } from './compiledDecode';
import { parameterViews } from './parameterViews';

/** The persistent path: keys and values of the prompts once into a cache of all layers, then chunks of tokens, one dispatch each. */

/** All but the logits, which the pass over the prompts leaves. */
export type PersistentState = Omit<PersistentBuffers, 'promptLogits'>;

export function persistentShape({ architecture, ...sizes }: SamplingShape): PersistentShape {
  const { numLayers, numHeads, numKeyValueHeads, hiddenSize, intermediateSize } = architecture;
  const headSize = hiddenSize / numHeads;
  return { ...sizes, numLayers, numHeads, numKeyValueHeads, headSize, intermediateSize };
}

export function createPersistentState(
  device: BufferMaker,
  shape: SamplingShape,
  maxLength: number,
): PersistentState {
  const { numReplicas, numRows, numPrompts, length, width } = shape;
  const { numLayers, numKeyValueHeads, headSize } = persistentShape(shape);
  const kept = numReplicas * numLayers * 2 * numKeyValueHeads * headSize;
  const angles = rotaryAngles(maxLength, headSize, shape.architecture.ropeTheta);
  return {
    angles: uploadStorage(device, angles, 'decode angles'),
    promptCache: createStorage(device, kept * numPrompts * length, 'prompt cache'),
    promptOf: createStorage(device, numReplicas * numRows, 'prompt of row'),
    rowData: createStorage(device, numReplicas * numRows * 4, 'row data'),
    suffixCache: createStorage(device, kept * numRows * width, 'suffix cache'),
    draws: createStorage(device, numReplicas * numRows * width * 2, 'draws'),
  };
}

export function destroyPersistentState(state: PersistentState): void {
  for (const buffer of Object.values<GPUBuffer>(state)) buffer.destroy();
}

/** As `samplingCalls`, in one dispatch a layer and one for `tokensPerDispatch` tokens. */
export function persistentCalls(
  shape: SamplingShape,
  { pass, own }: { readonly pass: PassBuffers; readonly own: PersistentState },
  tokensPerDispatch: number,
  isGreedy: boolean,
): KernelCall[] {
  const sizes = persistentShape(shape);
  const weights = parameterViews(shape.architecture, shape.vocabularySize, pass.weights);
  const buffers = { ...own, promptLogits: pass.logits };
  const calls = pass.layers.map(({ qkv }, layer) =>
    keepPrompts(sizes, layer, qkv, own.promptCache),
  );
  for (let first = 0; first < shape.width; first += tokensPerDispatch) {
    const end = Math.min(shape.width, first + tokensPerDispatch);
    calls.push(persistentDecode(sizes, weights, buffers, { first, end, isGreedy }));
  }
  return calls;
}
