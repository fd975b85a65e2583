/** Counts what is asked of a device from now on, and the memory it holds. */

export interface DeviceCounts {
  readonly numDispatches: number;
  readonly numSubmits: number;
  readonly numBindGroups: number;
  readonly numPipelines: number;
  /** Buffers made from now on. */
  readonly numBuffersMade: number;
  /** Of these, those not destroyed, and their sizes together. Unit: bytes. */
  readonly numBuffers: number;
  readonly bytes: number;
}

type Counts = { -readonly [K in keyof DeviceCounts]: DeviceCounts[K] };

function meterMemory(device: GPUDevice, counts: Counts): void {
  const createBuffer = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = createBuffer(descriptor);
    const destroy = buffer.destroy.bind(buffer);
    let isAlive = true;
    counts.numBuffersMade++;
    counts.numBuffers++;
    counts.bytes += buffer.size;
    buffer.destroy = () => {
      if (isAlive) {
        counts.numBuffers--;
        counts.bytes -= buffer.size;
      }
      isAlive = false;
      return destroy();
    };
    return buffer;
  };
}

function meterWork(device: GPUDevice, counts: Counts): void {
  const createBindGroup = device.createBindGroup.bind(device);
  device.createBindGroup = (descriptor) => {
    counts.numBindGroups++;
    return createBindGroup(descriptor);
  };
  const createPipeline = device.createComputePipelineAsync.bind(device);
  device.createComputePipelineAsync = (descriptor) => {
    counts.numPipelines++;
    return createPipeline(descriptor);
  };
  const submit = device.queue.submit.bind(device.queue);
  device.queue.submit = (buffers) => {
    counts.numSubmits++;
    return submit(buffers);
  };
  const createEncoder = device.createCommandEncoder.bind(device);
  device.createCommandEncoder = (descriptor) => {
    const encoder = createEncoder(descriptor);
    const beginPass = encoder.beginComputePass.bind(encoder);
    encoder.beginComputePass = (passDescriptor) => {
      const pass = beginPass(passDescriptor);
      const dispatch = pass.dispatchWorkgroups.bind(pass);
      pass.dispatchWorkgroups = (x, y, z) => {
        counts.numDispatches++;
        return dispatch(x, y, z);
      };
      return pass;
    };
    return encoder;
  };
}

/** Replaces methods of this one device; they do what they did. The function returns the counts so far. */
export function meterDevice(device: GPUDevice): () => DeviceCounts {
  const counts: Counts = {
    numDispatches: 0,
    numSubmits: 0,
    numBindGroups: 0,
    numPipelines: 0,
    numBuffersMade: 0,
    numBuffers: 0,
    bytes: 0,
  };
  meterMemory(device, counts);
  meterWork(device, counts);
  return () => ({ ...counts });
}
