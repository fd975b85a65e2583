/** The one place that maps memory: results of many steps are copied into a staging buffer as they come, and read at once. */

/** Copies of one reading, in order. */
export interface Reading {
  /** Encodes a copy of the first `count` numbers of `buffer`; they come back as the next entry of `finish`. */
  copy(encoder: GPUCommandEncoder, buffer: GPUBuffer, count: number): void;
  /** Waits for everything submitted so far. One float32 array a copy, in their order. */
  finish(): Promise<Float32Array<ArrayBuffer>[]>;
}

export interface Readback {
  /** One reading of at most `capacity` numbers. Throws an Error while another is under way. */
  begin(capacity: number): Reading;
  /** Time spent waiting for results so far. Unit: ms. */
  waitedMs(): number;
  destroy(): void;
}

/** Keeps its staging buffer, and takes a larger one when a reading needs it. `now`: milliseconds of wall time. */
export function createReadback(device: GPUDevice, now: () => number): Readback {
  let waitedMs = 0;
  let staging: GPUBuffer | null = null;
  let isReading = false;
  const stagingFor = (capacity: number): GPUBuffer => {
    if (staging !== null && staging.size >= 4 * capacity) return staging;
    staging?.destroy();
    staging = device.createBuffer({
      label: 'readback',
      size: 4 * capacity,
      usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    });
    return staging;
  };
  return {
    begin(capacity) {
      if (isReading) throw new Error('A reading is under way: finish it before the next begins.');
      isReading = true;
      const target = stagingFor(Math.max(1, capacity));
      const counts: number[] = [];
      let used = 0;
      return {
        copy(encoder, buffer, count) {
          encoder.copyBufferToBuffer(buffer, 0, target, 4 * used, 4 * count);
          counts.push(count);
          used += count;
        },
        async finish() {
          try {
            if (used === 0) return [];
            const startMs = now();
            await target.mapAsync(GPUMapMode.READ, 0, 4 * used);
            waitedMs += now() - startMs;
            const values = new Float32Array(target.getMappedRange(0, 4 * used).slice(0));
            target.unmap();
            let start = 0;
            return counts.map((count) => values.slice(start, (start += count)));
          } finally {
            isReading = false;
          }
        },
      };
    },
    waitedMs: () => waitedMs,
    destroy() {
      staging?.destroy();
    },
  };
}
