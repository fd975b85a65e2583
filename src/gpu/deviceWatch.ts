/** What goes wrong on a device without any call saying so: calls on a lost device do nothing, and errors surface as events. */

export interface DeviceWatch {
  /** Why the device is gone; null while it is there. */
  lossReason(): string | null;
  /** The first error since the last call, in words; null without one. */
  takeError(): string | null;
  /** The outcome of the task, or a rejection with the reason as soon as the device is gone. */
  untilLost<T>(task: Promise<T>): Promise<T>;
}

export function watchDevice(device: GPUDevice): DeviceWatch {
  let reason: string | null = null;
  let error: string | null = null;
  // Not reactions to the one promise of the loss: these would pile up as calls go by.
  const waiting = new Set<(reason: string) => void>();
  device.addEventListener('uncapturederror', (event) => {
    // Ours to report: the console would show it a second time.
    event.preventDefault();
    error ??= wordsOf(event.error);
  });
  const awaitLoss = async (): Promise<void> => {
    const { message } = await device.lost;
    reason = message === '' ? 'the browser gives no reason' : message;
    for (const give of waiting) give(reason);
  };
  void awaitLoss();
  return {
    lossReason: () => reason,
    takeError() {
      const taken = error;
      error = null;
      return taken;
    },
    untilLost: (task) =>
      new Promise((resolve, reject) => {
        const give = (why: string): void => reject(new Error(why));
        waiting.add(give);
        task.then(resolve, reject).finally(() => waiting.delete(give));
      }),
  };
}

function wordsOf(error: GPUError): string {
  if (error instanceof GPUOutOfMemoryError)
    return 'The memory of the GPU is used up. Use fewer seeds or arms, smaller groups or fewer tasks, or choose the backend "wasm".';
  return `The GPU refused a command: ${error.message}`;
}
