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

/** A device and what it is called. */
export interface NamedDevice {
  readonly device: GPUDevice;
  /** The adapter in words, for the fingerprint of a run. */
  readonly name: string;
}

/** Throws an Error without an adapter. `gpu`: `navigator.gpu`, or Dawn's. */
export async function requestComputeDevice(gpu: GPU | undefined): Promise<NamedDevice> {
  const adapter = await gpu?.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter)
    throw new Error(
      'This browser offers no WebGPU adapter. Use Chrome or Edge 113 or newer (on Linux with --enable-unsafe-webgpu), or choose the backend "wasm".',
    );
  const requiredLimits = Object.fromEntries(
    raisedLimits.map((limit) => [limit, adapter.limits[limit]]),
  );
  const requiredFeatures = optionalFeatures.filter((feature) => adapter.features.has(feature));
  const device = await adapter.requestDevice({ requiredLimits, requiredFeatures });
  const { vendor, architecture, device: model, description } = adapter.info;
  const words = [vendor, architecture, model, description].filter((word) => word !== '');
  return { device, name: `WebGPU ${words.join(' ')}` };
}
