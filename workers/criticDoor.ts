import { expose, transfer, wrap, type Endpoint } from 'comlink';
import type { CriticApi } from '../src/protocol/criticApi';
import { buffersOf } from './transferables';

/** Both ends of the door between the trainer and a critic. Arrays change hands instead of being copied. */

/** The critic's end. */
export function exposeCritic(critic: CriticApi, endpoint?: Endpoint): void {
  const exposed: CriticApi = {
    ...critic,
    async values(inputs) {
      const values = await critic.values(inputs);
      return transfer(values, buffersOf({ values }));
    },
    async copyCheckpoint(checkpoint) {
      const numbers = await critic.copyCheckpoint(checkpoint);
      return transfer(numbers, buffersOf(numbers));
    },
  };
  expose(exposed, endpoint);
}

/** The trainer's end. */
export function connectCritic(endpoint: Endpoint): CriticApi {
  const remote = wrap<CriticApi>(endpoint);
  return {
    create: (spec, replicas) => remote.create(spec, replicas),
    values: (inputs) => remote.values(transfer(inputs, buffersOf(inputs))),
    update: (inputs, targets) =>
      remote.update(transfer(inputs, buffersOf(inputs)), transfer(targets, buffersOf(targets))),
    keepCheckpoint: (checkpoint) => remote.keepCheckpoint(checkpoint),
    restoreCheckpoint: (checkpoint) => remote.restoreCheckpoint(checkpoint),
    copyCheckpoint: (checkpoint) => remote.copyCheckpoint(checkpoint),
    putCheckpoint: (checkpoint, numbers) =>
      remote.putCheckpoint(checkpoint, transfer(numbers, buffersOf(numbers))),
    dispose: () => remote.dispose(),
  };
}
