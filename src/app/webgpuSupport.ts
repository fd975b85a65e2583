import { create } from 'zustand';

/** Whether policies can run on WebGPU here; `checking` until the browser has answered. */
export type WebgpuSupport = 'checking' | 'available' | 'noApi' | 'noAdapter';

export const useWebgpuSupport = create<{ readonly support: WebgpuSupport }>(() => ({
  support: 'checking',
}));

let check: Promise<void> | null = null;

/** Asks the browser for an adapter, the first time it is called, and resolves when the answer is in the store. */
export function checkWebgpuSupport(): Promise<void> {
  check ??= webgpuSupport().then((support) => useWebgpuSupport.setState({ support }));
  return check;
}

async function webgpuSupport(): Promise<WebgpuSupport> {
  // Absent in older browsers and on pages that came over plain http.
  if (!('gpu' in navigator)) return 'noApi';
  try {
    return (await navigator.gpu.requestAdapter()) === null ? 'noAdapter' : 'available';
  } catch {
    // A blocked GPU process rejects instead of answering null.
    return 'noAdapter';
  }
}
