import { createTrainer, type CriticHandle, type PolicyHandle } from '../src/engine/trainer';
import { connectCritic } from './criticDoor';
import { connectPolicy } from './policyDoor';
import { exposeTrainer } from './trainerDoor';

/** A crash of a worker, or of its script, ends the run with the reason. */
function watch(worker: Worker, name: string, onFailure: (reason: Error) => void): void {
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    const reason = event.message || 'its script could not be loaded';
    onFailure(new Error(`The worker of ${name} failed: ${reason}`));
  });
  worker.addEventListener('messageerror', () => {
    onFailure(new Error(`A message of ${name} could not be read.`));
  });
}

/** One worker a policy. */
function createPolicy(policyId: string, onFailure: (reason: Error) => void): PolicyHandle {
  const worker = new Worker(new URL('./policy.worker.ts', import.meta.url), { type: 'module' });
  watch(worker, `policy "${policyId}"`, onFailure);
  return { api: connectPolicy(worker), terminate: () => worker.terminate() };
}

/** One worker for the value networks of one architecture. */
function createCritic(onFailure: (reason: Error) => void): CriticHandle {
  const worker = new Worker(new URL('./critic.worker.ts', import.meta.url), { type: 'module' });
  watch(worker, 'the critic', onFailure);
  return { api: connectCritic(worker), terminate: () => worker.terminate() };
}

exposeTrainer(createTrainer({ createPolicy, createCritic, now: () => performance.now() }));
