import type { KernelCall } from './kernelCall';

/** Dispatches in order, built once and replayed: in a steady state nothing is created but a command encoder. */
export interface Plan {
  readonly numDispatches: number;
  /** Encodes all dispatches into the pass. */
  encode(pass: GPUComputePassEncoder): void;
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

/** Compiles all pipelines at the same time and binds the buffers. Rejects with the label of a kernel that does not compile. */
export async function createPlan(
  cache: PipelineCache,
  calls: readonly KernelCall[],
): Promise<Plan> {
  const steps = await Promise.all(
    calls.map(async (call) => {
      const pipeline = await cache.get(call).catch((error: unknown) => {
        throw new Error(`The kernel ${call.label} does not compile: ${String(error)}`);
      });
      const bindGroup = cache.device.createBindGroup({
        label: call.label,
        layout: pipeline.getBindGroupLayout(0),
        entries: call.buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
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
  };
}

/** Runs plans one after another in one pass and one submit; returns when they are issued, not when they are done. */
export function submitPlans(device: GPUDevice, plans: readonly Plan[]): void {
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  for (const plan of plans) plan.encode(pass);
  pass.end();
  device.queue.submit([encoder.finish()]);
}
