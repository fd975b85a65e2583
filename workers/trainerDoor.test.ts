import { expect, test } from 'vitest';
import { createPolicyByBackend } from '../src/agents/policyByBackend';
import { createTfjsCritic } from '../src/agents/tfjsCritic';
import { connectTrainer } from '../src/app/trainerClient';
import { loadedSpec } from '../src/engine/testing/resumableSpecs';
import { checkpointsIn, eventsWith, rowsOf } from '../src/engine/testing/runInProcess';
import { createTrainer, type TrainerEnvironment } from '../src/engine/trainer';
import type { StartOptions, TrainerApi, TrainerEvent } from '../src/protocol/trainerApi';
import { connectCritic, exposeCritic } from './criticDoor';
import { connectPolicy, exposePolicy } from './policyDoor';
import { exposeTrainer } from './trainerDoor';

/** A run as in the page: every door is a message channel, which clones or transfers what passes. */

const behindDoors: TrainerEnvironment = {
  now: () => 0,
  createPolicy() {
    const { port1, port2 } = new MessageChannel();
    exposePolicy(createPolicyByBackend({ now: () => 0, gpu: () => undefined }), port2);
    return { api: connectPolicy(port1), terminate: () => closeBoth(port1, port2) };
  },
  createCritic() {
    const { port1, port2 } = new MessageChannel();
    exposeCritic(createTfjsCritic(), port2);
    return { api: connectCritic(port1), terminate: () => closeBoth(port1, port2) };
  },
};

function closeBoth(...ports: readonly MessagePort[]): void {
  for (const port of ports) port.close();
}

/** What the page hears of a run behind its door. */
async function heard(trainer: TrainerApi, options: StartOptions): Promise<TrainerEvent[]> {
  const { port1, port2 } = new MessageChannel();
  exposeTrainer(trainer, port2);
  const events: TrainerEvent[] = [];
  await new Promise<void>((resolve, reject) => {
    const listener = (event: TrainerEvent): void => {
      events.push(event);
      if (event.kind === 'finished' || event.kind === 'failed') resolve();
    };
    connectTrainer(port1, listener).start(loadedSpec, options).catch(reject);
  });
  closeBoth(port1, port2);
  return events;
}

test('a run behind its doors gives the checkpoints of one in this thread, and goes on from them', async () => {
  const direct = await eventsWith(loadedSpec, { checkpointEvery: 1 });
  const events = await heard(createTrainer(behindDoors), { checkpointEvery: 1 });
  const [ours, others] = [checkpointsIn(events), checkpointsIn(direct)];
  expect([...ours.keys()]).toEqual([0, 1, 2, 3]);
  for (const [iteration, bytes] of ours)
    expect(Buffer.from(bytes).equals(Buffer.from(others.get(iteration)!))).toBe(true);
  const resumeFrom = ours.get(2)!;
  const rest = await heard(createTrainer(behindDoors), { resumeFrom });
  // Given away and not copied.
  expect(resumeFrom.byteLength).toBe(0);
  expect(rest.at(-1)).toMatchObject({ kind: 'finished', reason: 'completed' });
  expect(rowsOf(rest)).toEqual(rowsOf(direct).filter(({ iteration }) => iteration === 3));
});

test('a checkpoint is handed to the page and not copied', async () => {
  const bytes = new ArrayBuffer(64);
  const trainer: TrainerApi = {
    ...createTrainer(behindDoors),
    async start(_, listener) {
      listener({ kind: 'checkpoint', iteration: 4, bytes });
      listener({ kind: 'finished', iteration: 4, reason: 'completed' });
    },
  };
  const [first] = await heard(trainer, {});
  expect(first).toEqual({ kind: 'checkpoint', iteration: 4, bytes: new ArrayBuffer(64) });
  expect(bytes.byteLength).toBe(0);
});

test('the answer to who asks for a checkpoint passes the door, a refusal too', async () => {
  const { port1, port2 } = new MessageChannel();
  exposeTrainer({ ...createTrainer(behindDoors), checkpoint: () => Promise.resolve(7) }, port2);
  expect(await connectTrainer(port1, () => {}).checkpoint()).toBe(7);
  closeBoth(port1, port2);
  const other = new MessageChannel();
  exposeTrainer(createTrainer(behindDoors), other.port2);
  await expect(connectTrainer(other.port1, () => {}).checkpoint()).rejects.toThrow(
    'There is no run',
  );
  closeBoth(other.port1, other.port2);
});
