/** Counts what a library asks of WebGPU in this thread, whichever device it made: the classes are wrapped before it starts. */

export interface DeviceCounts {
  readonly dispatches: number;
  readonly submits: number;
  readonly buffers: number;
  readonly bindGroups: number;
  readonly pipelines: number;
  /** Of buffers created and not destroyed. Unit: bytes. */
  readonly bytes: number;
}

/** Calls `seen` with the result of each call of the method. */
function observe(
  owner: object,
  name: string,
  seen: (result: unknown, self: unknown) => void,
): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== 'function')
    throw new Error(`This WebGPU has no method ${name} to count.`);
  Reflect.set(owner, name, function counted(this: unknown, ...args: unknown[]): unknown {
    const result: unknown = Reflect.apply(original, this, args);
    seen(result, this);
    return result;
  });
}

/** Starts to count, once a thread; returns a reader. The wrappers cost well under a microsecond a call. */
export function countDevices(): () => DeviceCounts {
  const counts = { dispatches: 0, submits: 0, buffers: 0, bindGroups: 0, pipelines: 0, bytes: 0 };
  const sizes = new WeakMap<object, number>();
  const add = (name: keyof typeof counts) => (): void => {
    counts[name] += 1;
  };
  observe(GPUComputePassEncoder.prototype, 'dispatchWorkgroups', add('dispatches'));
  observe(GPUComputePassEncoder.prototype, 'dispatchWorkgroupsIndirect', add('dispatches'));
  observe(GPUQueue.prototype, 'submit', add('submits'));
  observe(GPUDevice.prototype, 'createBindGroup', add('bindGroups'));
  observe(GPUDevice.prototype, 'createComputePipeline', add('pipelines'));
  observe(GPUDevice.prototype, 'createComputePipelineAsync', add('pipelines'));
  observe(GPUDevice.prototype, 'createBuffer', (buffer) => {
    if (!(buffer instanceof GPUBuffer)) return;
    counts.buffers += 1;
    counts.bytes += buffer.size;
    sizes.set(buffer, buffer.size);
  });
  observe(GPUBuffer.prototype, 'destroy', (_result, buffer) => {
    if (!(buffer instanceof GPUBuffer)) return;
    counts.bytes -= sizes.get(buffer) ?? 0;
    sizes.delete(buffer);
  });
  return () => ({ ...counts });
}

export function countsBetween(before: DeviceCounts, after: DeviceCounts): DeviceCounts {
  return {
    dispatches: after.dispatches - before.dispatches,
    submits: after.submits - before.submits,
    buffers: after.buffers - before.buffers,
    bindGroups: after.bindGroups - before.bindGroups,
    pipelines: after.pipelines - before.pipelines,
    bytes: after.bytes - before.bytes,
  };
}
