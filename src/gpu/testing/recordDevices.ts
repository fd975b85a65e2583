/** Notes every device that this GPU gives from now on, in order. Replaces a method of this one object; it does what it did. */
export function recordDevices(gpu: GPU): readonly GPUDevice[] {
  const devices: GPUDevice[] = [];
  const requestAdapter = gpu.requestAdapter.bind(gpu);
  gpu.requestAdapter = async (options) => {
    const adapter = await requestAdapter(options);
    if (adapter === null) return null;
    const requestDevice = adapter.requestDevice.bind(adapter);
    adapter.requestDevice = async (descriptor) => {
      const device = await requestDevice(descriptor);
      devices.push(device);
      return device;
    };
    return adapter;
  };
  return devices;
}
