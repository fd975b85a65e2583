/** What is going to be allocated, known before any of it is: a device over its limits refuses late, and in words about bytes. */

/** As much of a device as it takes to make buffers. */
export interface BufferMaker {
  createBuffer(descriptor: GPUBufferDescriptor): GPUBuffer;
  readonly queue: Pick<GPUQueue, 'writeBuffer'>;
}

interface PlannedBuffer {
  readonly label: string;
  /** Unit: bytes. */
  readonly size: number;
}

function bufferOnPaper(label: string, size: number, usage: number): GPUBuffer {
  const failure = new Error(`The buffer "${label}" was only planned.`);
  return {
    __brand: 'GPUBuffer',
    label,
    size,
    usage,
    mapState: 'unmapped',
    mapAsync: () => Promise.reject(failure),
    getMappedRange() {
      throw failure;
    },
    unmap: () => undefined,
    destroy: () => undefined,
  };
}

/** The buffers that `allocate` would make, without a device. */
export function plannedBuffers(allocate: (device: BufferMaker) => unknown): PlannedBuffer[] {
  const planned: PlannedBuffer[] = [];
  allocate({
    createBuffer({ label = 'buffer', size, usage }) {
      planned.push({ label, size });
      return bufferOnPaper(label, size, usage);
    },
    queue: { writeBuffer: () => undefined },
  });
  return planned;
}

type Limits = Pick<GPUSupportedLimits, 'maxBufferSize' | 'maxStorageBufferBindingSize'>;

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toPrecision(4)} MB`;
}

function suggestion(numReplicas: number, numFitting: number): string {
  if (numFitting >= 1)
    return `Of the ${numReplicas} replicas (arms × seeds) ${numFitting} would fit: use fewer arms or seeds in one run`;
  return 'Not even one replica would fit: use fewer tasks or rollouts per task, more minibatches, or a smaller policy';
}

/**
 * Refuses buffers, whose sizes grow with the number of replicas, that this device cannot bind.
 * @throws RangeError with the buffer, its size, the limit, and what would fit
 */
export function requireBuffers(
  limits: Limits,
  planned: readonly PlannedBuffer[],
  numReplicas: number,
): void {
  const largest = planned.reduce((a, b) => (b.size > a.size ? b : a), { label: '', size: 0 });
  const name =
    limits.maxStorageBufferBindingSize < limits.maxBufferSize
      ? 'maxStorageBufferBindingSize'
      : 'maxBufferSize';
  const limit = limits[name];
  if (largest.size <= limit) return;
  const numFitting = Math.floor((numReplicas * limit) / largest.size);
  throw new RangeError(
    `The GPU buffer "${largest.label}" would take ${megabytes(largest.size)}, and this device allows ${megabytes(limit)} (${name}). ` +
      `${suggestion(numReplicas, numFitting)}, or choose the backend "wasm".`,
  );
}
