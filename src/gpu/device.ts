/** The device with the limits that stacked replicas want. */

/** Raised to what the adapter has; WebGPU's defaults are 8 storage buffers a stage, 16 KiB of workgroup memory, 128 MiB a binding. */
const raisedLimits = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
] as const;

/** Used where the adapter has them; nothing depends on them. */
const optionalFeatures: readonly GPUFeatureName[] = ['timestamp-query'];

/** Throws an Error without an adapter. `gpu`: `navigator.gpu`, or Dawn's. */
export async function requestComputeDevice(gpu: GPU): Promise<GPUDevice> {
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (adapter === null)
    throw new Error(
      'There is no WebGPU adapter: choose the backend wasm, or start the browser with one.',
    );
  const requiredLimits = Object.fromEntries(
    raisedLimits.map((limit) => [limit, adapter.limits[limit]]),
  );
  const requiredFeatures = optionalFeatures.filter((feature) => adapter.features.has(feature));
  return adapter.requestDevice({ requiredLimits, requiredFeatures });
}
