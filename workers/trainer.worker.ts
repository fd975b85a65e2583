import { expose } from 'comlink';
import { createTrainer, type PolicyHandle } from '../src/engine/trainer';
import { connectPolicy } from './policyDoor';

/** One worker a policy. A crash of the worker, or of its script, ends the run with the reason. */
function createPolicy(policyId: string, onFailure: (reason: Error) => void): PolicyHandle {
  const worker = new Worker(new URL('./policy.worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    const reason = event.message || 'its script could not be loaded';
    onFailure(new Error(`The worker of policy "${policyId}" failed: ${reason}`));
  });
  worker.addEventListener('messageerror', () => {
    onFailure(new Error(`A message of policy "${policyId}" could not be read.`));
  });
  return { api: connectPolicy(worker), terminate: () => worker.terminate() };
}

expose(createTrainer({ createPolicy, now: () => performance.now() }));
