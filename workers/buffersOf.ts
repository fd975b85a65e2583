import type { SampleCalls, UpdateBatch } from '../src/protocol/policyApi';

/** The buffers of a message's typed arrays: they change hands instead of being copied. */
export function buffersOf(message: SampleCalls | UpdateBatch): ArrayBuffer[] {
  return Object.values(message).flatMap((value: unknown) =>
    ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
}
