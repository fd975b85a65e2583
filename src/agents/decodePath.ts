import type { BufferMaker } from '../gpu/bufferBudget';
import type { KernelCall } from '../gpu/kernelCall';
import { fitsPersistent } from '../kernels/decode/persistentDecode';
import type { PassBuffers } from './compiledBuffers';
import {
  createDecodeBuffers,
  destroyDecodeBuffers,
  samplingCalls,
  type DecodeBuffers,
  type SamplingShape,
} from './compiledDecode';
import {
  createPersistentState,
  destroyPersistentState,
  persistentCalls,
  persistentShape,
  type PersistentState,
} from './persistentSampling';
import type { SamplingRows } from './samplingRows';

export interface DecodeResults {
  /** float32 [R, B, L, 2] tokens and log-probabilities, see `sampleTokens`. */
  readonly draws: GPUBuffer;
}

/** A way from prompts, after a forward pass over them, to whole actions. */
export interface DecodePath<B extends DecodeResults> {
  /** For all shapes within `room`; freed with `destroyBuffers`. */
  createBuffers(device: BufferMaker, room: SamplingShape, maxLength: number): B;
  destroyBuffers(buffers: B): void;
  upload(queue: GPUQueue, buffers: B, rows: SamplingRows): void;
  calls(shape: SamplingShape, pass: PassBuffers, buffers: B, isGreedy: boolean): KernelCall[];
}

/** Dispatches over all rows. */
export const batchedPath: DecodePath<DecodeBuffers> = {
  createBuffers: createDecodeBuffers,
  destroyBuffers: destroyDecodeBuffers,
  upload(queue, buffers, rows) {
    queue.writeBuffer(buffers.promptOf, 0, rows.promptOf);
    queue.writeBuffer(buffers.promptLengths, 0, rows.promptLengths);
    queue.writeBuffer(buffers.keys, 0, rows.keys);
  },
  calls: samplingCalls,
};

/** [R, B, 4] see `PersistentBuffers`. */
function rowDataOf({ keys, promptLengths, actionLengths }: SamplingRows): Uint32Array<ArrayBuffer> {
  const data = new Uint32Array(4 * promptLengths.length);
  for (const [row, promptLength] of promptLengths.entries())
    data.set([keys[2 * row]!, keys[2 * row + 1]!, promptLength, actionLengths[row]!], 4 * row);
  return data;
}

/**
 * One dispatch for `tokensPerDispatch` tokens.
 * @throws RangeError where four rows' activations do not fit into a workgroup's memory.
 */
export function persistentPath(
  limits: GPUSupportedLimits,
  cohort: Pick<SamplingShape, 'architecture' | 'vocabularySize' | 'numReplicas'>,
  tokensPerDispatch: number,
): DecodePath<PersistentState> {
  const smallest = { ...cohort, numRows: 1, numPrompts: 1, length: 1, width: 1 };
  if (!fitsPersistent(limits, persistentShape(smallest)))
    throw new RangeError(
      'The activations of four rows do not fit into a workgroup of this device: use the batched path.',
    );
  if (!Number.isInteger(tokensPerDispatch) || tokensPerDispatch < 1)
    throw new RangeError(
      `tokensPerDispatch is ${tokensPerDispatch}: expected an integer of at least 1.`,
    );
  return {
    createBuffers: createPersistentState,
    destroyBuffers: destroyPersistentState,
    upload(queue, buffers, rows) {
      queue.writeBuffer(buffers.promptOf, 0, rows.promptOf);
      queue.writeBuffer(buffers.rowData, 0, rowDataOf(rows));
    },
    calls: (shape, pass, buffers, isGreedy) =>
      persistentCalls(shape, { pass, own: buffers }, tokensPerDispatch, isGreedy),
  };
}
