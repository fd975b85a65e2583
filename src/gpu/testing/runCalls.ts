import type { KernelCall } from '../kernelCall';
import { createPipelineCache, createPlan, submitPlans } from '../plan';

/** Compiles and runs some calls once. */
export async function runCalls(device: GPUDevice, calls: readonly KernelCall[]): Promise<void> {
  submitPlans(device, [await createPlan(createPipelineCache(device), calls)]);
}
