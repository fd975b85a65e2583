import type { ExperimentSpec } from '../config/experimentSpec';
import type { StartOptions, TrainerListener } from '../protocol/trainerApi';
import { createEventQueue, type StampedEvent } from './eventQueue';
import { applyRunEvent, isActive, type RunEvent, type RunState } from './runState';
import type { TrainerClient } from './trainerClient';

/** What the page can do with a run. */
export interface Runner {
  /**
   * Starts `spec` in a new trainer worker and forgets the run before. Resolves when the run has ended in any way;
   * how it ended stands in the state. Rejects with an Error when a run is still active.
   * @param options the bytes to resume from are given away
   */
  readonly start: (spec: ExperimentSpec, options?: StartOptions) => Promise<void>;
  /** Asks for a pause before the next iteration. */
  readonly pause: () => void;
  /** Runs one iteration of a paused run and pauses again. */
  readonly step: () => void;
  readonly resume: () => void;
  /** Asks the trainer to stop before the next iteration. Asked a second time, ends the worker at once. */
  readonly stop: () => void;
  /** Asks for a checkpoint before the next iteration; resolves with its iteration. Rejects with an Error without an active run. */
  readonly checkpoint: () => Promise<number>;
  /** Ends the run, if one is active, and forgets everything about it. */
  readonly reset: () => void;
}

interface RunnerWorld {
  readonly store: {
    readonly getState: () => RunState;
    readonly setState: (state: RunState, replace: true) => void;
  };
  readonly createClient: (
    listener: TrainerListener,
    onCrash: (message: string) => void,
  ) => TrainerClient;
  /** Called with every checkpoint of the active run, once the state holds all that the trainer sent before it. Owns the bytes. */
  readonly onCheckpoint?: (iteration: number, bytes: ArrayBuffer) => void;
  readonly nowMs: () => number;
  /** Calls back once after that many ms. */
  readonly later: (callback: () => void, delayMs: number) => void;
}

/** How often the page takes over what the trainer has sent. Unit: ms. */
const deliveryMs = 120;
/** Events travel on a channel of their own: the last one may arrive after the answer to `start`. Unit: ms. */
const lastEventGraceMs = 2000;

interface ActiveRun {
  readonly client: TrainerClient;
  /** Resolves the promise of `start`. */
  readonly end: () => void;
  /** How to turn away whoever waits for a checkpoint. */
  readonly waiting: Set<(reason: Error) => void>;
}

/** Connects a store with the trainer worker of the moment; at most one exists. */
export function createRunner(world: RunnerWorld): Runner {
  const desk = createDesk(world);
  return {
    start(spec, options) {
      if (isActive(world.store.getState().phase))
        return Promise.reject(new Error('A run is active. Stop it before you start another one.'));
      desk.apply({ kind: 'started', spec });
      return desk.open(spec, options);
    },
    pause() {
      desk.apply({ kind: 'requested', request: 'pause' });
      desk.ask((client) => client.pause());
    },
    step() {
      desk.apply({ kind: 'resumed' });
      // Shown from the start: the run will pause again without being asked.
      desk.apply({ kind: 'requested', request: 'pause' });
      desk.ask((client) => client.step());
    },
    resume() {
      desk.apply({ kind: 'resumed' });
      desk.ask((client) => client.resume());
    },
    stop() {
      if (world.store.getState().request === 'stop') {
        desk.terminate();
        return;
      }
      desk.apply({ kind: 'requested', request: 'stop' });
      desk.ask((client) => client.stop());
    },
    checkpoint: () => desk.checkpoint(),
    reset() {
      desk.terminate();
      desk.apply({ kind: 'reset' });
    },
  };
}

interface Desk {
  readonly apply: (event: RunEvent) => void;
  /** Starts a worker; resolves when its run has ended. */
  readonly open: (spec: ExperimentSpec, options?: StartOptions) => Promise<void>;
  readonly checkpoint: () => Promise<number>;
  readonly terminate: () => void;
  readonly ask: (request: (client: TrainerClient) => Promise<void>) => void;
}

/** Owns the worker of the active run. */
function createDesk(world: RunnerWorld): Desk {
  const { store } = world;
  let active: ActiveRun | null = null;
  const apply = (event: RunEvent): void =>
    store.setState(applyRunEvent(store.getState(), event, world.nowMs()), true);
  const close = (): void => {
    const ending = active;
    active = null;
    ending?.client.terminate();
    for (const turnAway of ending?.waiting ?? [])
      turnAway(new Error('The run ended before its checkpoint.'));
    ending?.end();
  };
  const deliver = (batch: readonly StampedEvent[]): void => {
    const next = batch.reduce(
      (state, { event, atMs }) => applyRunEvent(state, event, atMs),
      store.getState(),
    );
    store.setState(next, true);
    for (const { event } of batch)
      if (event.kind === 'checkpoint') world.onCheckpoint?.(event.iteration, event.bytes);
    if (!isActive(next.phase)) close();
  };
  return {
    apply,
    open: (spec, options) =>
      new Promise((resolve) => {
        const client = launch(world, [spec, options], (batch, from) => {
          // Events of a run that was ended or reset meanwhile belong to nobody.
          if (active?.client === from) deliver(batch);
        });
        active = { client, end: resolve, waiting: new Set() };
      }),
    checkpoint: () =>
      new Promise((resolve, reject) => {
        if (active === null) {
          reject(new Error('No run is active: start one to take a checkpoint of it.'));
          return;
        }
        const { client, waiting } = active;
        waiting.add(reject);
        void client
          .checkpoint()
          .then(resolve, reject)
          .finally(() => waiting.delete(reject));
      }),
    terminate: () => {
      apply({ kind: 'terminated' });
      close();
    },
    ask: (request) => {
      if (active === null) return;
      request(active.client).catch((error: unknown) =>
        apply({ kind: 'notice', message: `The trainer did not follow: ${messageOf(error)}` }),
      );
    },
  };
}

function launch(
  world: RunnerWorld,
  [spec, options]: readonly [ExperimentSpec, StartOptions | undefined],
  deliver: (batch: readonly StampedEvent[], from: TrainerClient) => void,
): TrainerClient {
  const queue = createEventQueue((batch) => deliver(batch, client), {
    nowMs: world.nowMs,
    later: (callback) => world.later(callback, deliveryMs),
  });
  const crash = (message: string): void => queue.push({ kind: 'crashed', message });
  const client = world.createClient(queue.push, crash);
  client.start(spec, options).then(
    () =>
      world.later(() => crash('The trainer ended without saying how. Restart.'), lastEventGraceMs),
    (error: unknown) => crash(`The trainer failed: ${messageOf(error)}`),
  );
  return client;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
