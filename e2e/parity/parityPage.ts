import { wrap } from 'comlink';
import type { ParityApi } from './parity.worker';

declare global {
  interface Window {
    /** The policies' own code in a worker, for the parity test. */
    parity: ParityApi;
  }
}

const worker = new Worker(new URL('./parity.worker.ts', import.meta.url), { type: 'module' });
const remote = wrap<ParityApi>(worker);
window.parity = {
  hasAdapter: () => remote.hasAdapter(),
  compareStep: (spec) => remote.compareStep(spec),
  trainTenSteps: (spec) => remote.trainTenSteps(spec),
  updateWithNaN: (spec) => remote.updateWithNaN(spec),
  criticNumbers: (spec) => remote.criticNumbers(spec),
  scoredNumbers: (spec) => remote.scoredNumbers(spec),
  loseDevice: (spec) => remote.loseDevice(spec),
};
