import { wrap, type Remote } from 'comlink';
import type { BenchThread } from './benchThread';
import type { BenchHost } from './benchHost';
import type { BenchSize } from './benchSizes';
import { runBench, type BenchMeasurements } from './runBench';

declare global {
  interface Window {
    /** The bench's door for the command: resolves to the measurements, rejects with the reason in one line. */
    bench: (size: BenchSize) => Promise<BenchMeasurements>;
    /** Set by the command before a run: where progress lines go. */
    noteBench: (line: string) => Promise<void>;
  }
}

/** A worker whose start-up error ends what was asked of it, instead of leaving it without an answer. */
function startThread(): { thread: Remote<BenchThread>; failed: Promise<never>; close: () => void } {
  const worker = new Worker(new URL('./bench.worker.ts', import.meta.url), { type: 'module' });
  const failed = new Promise<never>((_resolve, reject) => {
    worker.addEventListener('error', ({ message }) =>
      reject(new Error(`A worker failed: ${message}`)),
    );
  });
  // Whoever waits for an answer hears of it; afterwards nobody does.
  failed.catch(() => {});
  return { thread: wrap<BenchThread>(worker), failed, close: () => worker.terminate() };
}

const host: BenchHost = {
  peers: ['compiled', 'jaxWebgpu', 'jaxWasm', 'tfjsWebgpu', 'tfjsWasm'],
  samplers: ['compiled', 'tfjsWebgpu', 'tfjsWasm'],
  note: (line) => window.noteBench(line),
  async withThreads(count, act) {
    const started = Array.from({ length: count }, startThread);
    try {
      const threads = started.map(({ thread }) => thread);
      return await Promise.race([...started.map(({ failed }) => failed), act(threads)]);
    } finally {
      for (const { close } of started) close();
    }
  },
};

window.bench = (size) => runBench(host, size);
