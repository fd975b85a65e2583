import type { KernelCall } from './kernelCall';

/** Dispatches in order, built once and replayed: in a steady state nothing is created but a command encoder. */
export interface Plan {
  readonly numDispatches: number;
  /** Encodes all dispatches into the pass. */
  encode(pass: GPUComputePassEncoder): void;
  /** Frees the plan's own memory, not the buffers it was made on. */
  destroy(): void;
}

/** Pipelines of a device, by source and constants. */
export interface PipelineCache {
  readonly device: GPUDevice;
  get(call: KernelCall): Promise<GPUComputePipeline>;
  /** Pipelines made so far. */
  size(): number;
}

export function createPipelineCache(device: GPUDevice): PipelineCache {
  const pipelines = new Map<string, Promise<GPUComputePipeline>>();
  const modules = new Map<string, GPUShaderModule>();
  const moduleOf = ({ source, label }: KernelCall): GPUShaderModule => {
    const shader = modules.get(source) ?? device.createShaderModule({ label, code: source });
    modules.set(source, shader);
    return shader;
  };
  return {
    device,
    get(call) {
      const key = `${JSON.stringify(call.constants)} ${call.source}`;
      const known = pipelines.get(key);
      if (known !== undefined) return known;
      const pipeline = device.createComputePipelineAsync({
        label: call.label,
        layout: 'auto',
        compute: { module: moduleOf(call), entryPoint: 'main', constants: { ...call.constants } },
      });
      pipelines.set(key, pipeline);
      return pipeline;
    },
    size: () => pipelines.size,
  };
}

/** Uniform buffers are bound at multiples of this. Unit: bytes. */
const uniformStep = 256;

/** The uniforms of all calls in one buffer, each at its own step; null where no call has any. */
function uploadUniforms(device: GPUDevice, calls: readonly KernelCall[]): GPUBuffer | null {
  if (calls.every(({ uniforms }) => uniforms === undefined)) return null;
  const values = new Uint32Array((calls.length * uniformStep) / 4);
  for (const [index, { uniforms = [] }] of calls.entries())
    values.set(uniforms, (index * uniformStep) / 4);
  const buffer = device.createBuffer({
    label: 'uniforms',
    size: values.byteLength,
    usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
  });
  device.queue.writeBuffer(buffer, 0, values);
  return buffer;
}

function bindingsOf(call: KernelCall, index: number, uniforms: GPUBuffer | null) {
  const buffers = call.buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
  if (call.uniforms === undefined || uniforms === null) return buffers;
  const [offset, size] = [index * uniformStep, 4 * call.uniforms.length];
  return [...buffers, { binding: buffers.length, resource: { buffer: uniforms, offset, size } }];
}

/** More workgroups in a direction would be an error that nobody hears of. Throws a RangeError. */
function requireWorkgroups(
  { maxComputeWorkgroupsPerDimension: limit }: GPUSupportedLimits,
  { label, workgroups }: KernelCall,
): void {
  if (workgroups.every((count) => count <= limit)) return;
  throw new RangeError(
    `The kernel "${label}" would need ${workgroups.join(' × ')} workgroups, and this device allows ${limit} a direction (maxComputeWorkgroupsPerDimension). ` +
      'Use fewer tasks or rollouts per task, more minibatches, or choose the backend "wasm".',
  );
}

/**
 * Compiles all pipelines at the same time and binds the buffers. The caller destroys the plan, not its buffers.
 * Rejects with the label of a kernel that does not compile.
 */
export async function createPlan(
  cache: PipelineCache,
  calls: readonly KernelCall[],
): Promise<Plan> {
  for (const call of calls) requireWorkgroups(cache.device.limits, call);
  const uniforms = uploadUniforms(cache.device, calls);
  const steps = await Promise.all(
    calls.map(async (call, index) => {
      const pipeline = await cache.get(call).catch((error: unknown) => {
        throw new Error(`The kernel ${call.label} does not compile: ${String(error)}`);
      });
      const bindGroup = cache.device.createBindGroup({
        label: call.label,
        layout: pipeline.getBindGroupLayout(0),
        entries: bindingsOf(call, index, uniforms),
      });
      return { pipeline, bindGroup, workgroups: call.workgroups };
    }),
  );
  return {
    numDispatches: steps.length,
    encode(pass) {
      for (const { pipeline, bindGroup, workgroups } of steps) {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, bindGroup);
        pass.dispatchWorkgroups(...workgroups);
      }
    },
    destroy() {
      uniforms?.destroy();
    },
  };
}

/** Encodes plans one after another into one pass. */
export function encodePlans(encoder: GPUCommandEncoder, plans: readonly Plan[]): void {
  const pass = encoder.beginComputePass();
  for (const plan of plans) plan.encode(pass);
  pass.end();
}

/** Runs plans one after another in one pass and one submit; returns when they are issued, not when they are done. */
export function submitPlans(device: GPUDevice, plans: readonly Plan[]): void {
  const encoder = device.createCommandEncoder();
  encodePlans(encoder, plans);
  device.queue.submit([encoder.finish()]);
}
