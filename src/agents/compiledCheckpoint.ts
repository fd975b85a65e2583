import { createStorage } from '../gpu/buffers';
import { createReadback } from '../gpu/readback';
import type { PolicyCheckpoint } from '../protocol/policyApi';
import type { CompiledState } from './compiledState';

/** Weights and optimizer of the compiled engine, off the device and back. */

/** Four numbers a replica on the device: 1 − β1^t, 1 − β2^t, t, unused. */
const progressSize = 4;

/** One read-back; its staging memory is given back, because it is as large as all the rest of the optimizer. */
export async function compiledCheckpoint(state: CompiledState): Promise<PolicyCheckpoint> {
  const { weights, moments1, moments2, progress, reference, hypers, numParameters } = state;
  const { device } = state.cache;
  const numReplicas = hypers.length;
  const size = numReplicas * numParameters;
  const arenas = [weights, moments1, moments2, ...(reference === null ? [] : [reference])];
  const readback = createReadback(device, () => 0);
  try {
    const reading = readback.begin(arenas.length * size + progressSize * numReplicas);
    const encoder = device.createCommandEncoder();
    for (const arena of arenas) reading.copy(encoder, arena, size);
    reading.copy(encoder, progress, progressSize * numReplicas);
    device.queue.submit([encoder.finish()]);
    const parts = await reading.finish();
    const steps = parts.at(-1)!;
    return {
      weights: parts[0]!,
      moments1: parts[1]!,
      moments2: parts[2]!,
      reference: reference === null ? null : parts[3]!,
      counts: Float32Array.from({ length: numReplicas }, (_, r) => steps[progressSize * r + 2]!),
      corrections: Float32Array.from(
        { length: 2 * numReplicas },
        (_, i) => steps[progressSize * (i >> 1) + (i & 1)]!,
      ),
    };
  } finally {
    readback.destroy();
  }
}

export function restoreCompiled(state: CompiledState, checkpoint: PolicyCheckpoint): void {
  const { device } = state.cache;
  const { counts, corrections, reference } = checkpoint;
  const progress = Float32Array.from({ length: progressSize * counts.length }, (_, i) => {
    const [replica, part] = [Math.floor(i / progressSize), i % progressSize];
    if (part === 2) return counts[replica]!;
    return part < 2 ? corrections[2 * replica + part]! : 0;
  });
  device.queue.writeBuffer(state.weights, 0, checkpoint.weights);
  device.queue.writeBuffer(state.moments1, 0, checkpoint.moments1);
  device.queue.writeBuffer(state.moments2, 0, checkpoint.moments2);
  device.queue.writeBuffer(state.progress, 0, progress);
  if (reference === null) {
    state.reference?.destroy();
    state.reference = null;
    return;
  }
  state.reference ??= createStorage(device, reference.length, 'reference');
  device.queue.writeBuffer(state.reference, 0, reference);
}
