import type { BufferMaker } from './bufferBudget';

/** Storage buffers of 4-byte elements. */

/** `length` elements, zeros at first. Usable as storage, and copied to and from. */
export function createStorage(device: BufferMaker, length: number, label: string): GPUBuffer {
  return device.createBuffer({
    label,
    size: 4 * Math.max(1, length),
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
  });
}

/** A storage buffer with these contents. */
export function uploadStorage(
  device: BufferMaker,
  values: Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
  label: string,
): GPUBuffer {
  const buffer = createStorage(device, values.length, label);
  device.queue.writeBuffer(buffer, 0, values);
  return buffer;
}

/** Copies a buffer back. Waits for everything submitted so far: never inside a training step. */
export async function readFloats(device: GPUDevice, buffer: GPUBuffer): Promise<Float32Array> {
  const staging = device.createBuffer({
    size: buffer.size,
    usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
  });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, buffer.size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const values = new Float32Array(staging.getMappedRange().slice(0));
  staging.destroy();
  return values;
}
