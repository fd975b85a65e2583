/** What compute passes take on the device itself, by its own clock, without anybody waiting for it. */

/** `K`: what passes are added up under. */
export interface PassTimer<K extends string> {
  /** Passes since the last call of this count as `kind`. Their times come back later, beside the work. */
  assign(kind: K): void;
  /** Of the passes whose times have come back. Unit: ms; null where the device has no clock, or where passes had to be left out. */
  totalMs(kind: K): number | null;
  destroy(): void;
}

/** Passes that can be timed between two assignments. A query set has room for 4096 times, two a pass. */
const mostPasses = 2048;
/** Assignments whose times are on their way at once. */
const numStaging = 4;

function createStaging(device: GPUDevice): GPUBuffer[] {
  return Array.from({ length: numStaging }, () =>
    device.createBuffer({
      label: 'pass times',
      size: 16 * mostPasses,
      usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    }),
  );
}

/** Sum of end − beginning, in ms. Some drivers begin anew now and then: such a pair counts as nothing. */
function sumOf(times: BigUint64Array): number {
  let nanoseconds = 0n;
  for (let place = 0; place < times.length; place += 2)
    if (times[place + 1]! > times[place]!) nanoseconds += times[place + 1]! - times[place]!;
  return Number(nanoseconds) / 1e6;
}

/** Gives every compute pass of the device two times of `querySet`, as long as there are some left. */
function timePasses(device: GPUDevice, querySet: GPUQuerySet, take: () => number | null): void {
  const createEncoder = device.createCommandEncoder.bind(device);
  device.createCommandEncoder = (own) => {
    const encoder = createEncoder(own);
    const begin = encoder.beginComputePass.bind(encoder);
    encoder.beginComputePass = (descriptor) => {
      const place = take();
      if (place === null) return begin(descriptor);
      const timestampWrites = {
        querySet,
        beginningOfPassWriteIndex: 2 * place,
        endOfPassWriteIndex: 2 * place + 1,
      };
      return begin({ ...descriptor, timestampWrites });
    };
    return encoder;
  };
}

/** Replaces a method of this one device; it does what it did. Without the feature `timestamp-query` nothing is timed. */
export function createPassTimer<K extends string>(device: GPUDevice): PassTimer<K> {
  const untimed: PassTimer<K> = {
    assign: () => undefined,
    totalMs: () => null,
    destroy: () => undefined,
  };
  if (!device.features.has('timestamp-query')) return untimed;
  const querySet = device.createQuerySet({ type: 'timestamp', count: 2 * mostPasses });
  const resolved = device.createBuffer({
    label: 'pass times',
    size: 16 * mostPasses,
    usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
  });
  const staging = createStaging(device);
  const free = [...staging];
  const totals = new Map<K, number | null>();
  let used = 0;
  timePasses(device, querySet, () => (used++ < mostPasses ? used - 1 : null));
  const collect = async (kind: K, target: GPUBuffer, size: number): Promise<void> => {
    try {
      await target.mapAsync(GPUMapMode.READ, 0, size);
      const before = totals.get(kind) ?? null;
      if (before !== null)
        totals.set(kind, before + sumOf(new BigUint64Array(target.getMappedRange(0, size))));
      target.unmap();
      free.push(target);
    } catch {
      // The device is gone, and its times with it.
    }
  };
  return {
    assign(kind) {
      const numPasses = used;
      used = 0;
      if (!totals.has(kind)) totals.set(kind, 0);
      if (numPasses === 0) return;
      const target = free.pop();
      if (target === undefined || numPasses > mostPasses) {
        if (target !== undefined) free.push(target);
        totals.set(kind, null);
        return;
      }
      const encoder = device.createCommandEncoder();
      encoder.resolveQuerySet(querySet, 0, 2 * numPasses, resolved, 0);
      encoder.copyBufferToBuffer(resolved, 0, target, 0, 16 * numPasses);
      device.queue.submit([encoder.finish()]);
      void collect(kind, target, 16 * numPasses);
    },
    totalMs(kind) {
      const total = totals.get(kind);
      return total === undefined ? 0 : total;
    },
    destroy() {
      querySet.destroy();
      for (const buffer of [resolved, ...staging]) buffer.destroy();
    },
  };
}
