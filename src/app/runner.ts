import type { ExperimentSpec } from '../config/experimentSpec';
import type { SteeringCommand } from '../config/interventionSchema';
import type { Acknowledgement, TrainerListener } from '../protocol/trainerApi';
import { createEventQueue, type StampedEvent } from './eventQueue';
import { applyRunEvent, isActive, type RunEvent, type RunState } from './runState';
import type { TrainerClient } from './trainerClient';

/** What the page can do with a run. */
export interface Runner {
  /**
   * Starts `spec` in a new trainer worker and forgets the run before. Resolves when the run has ended in any way;
   * how it ended stands in the state. Rejects with an Error when a run is still active.
   */
  readonly start: (spec: ExperimentSpec) => Promise<void>;
  /** Asks for a pause before the next iteration. */
  readonly pause: () => void;
  /** Runs one iteration of a paused run and pauses again. */
  readonly step: () => void;
  readonly resume: () => void;
  /** Asks the trainer to stop before the next iteration. Asked a second time, ends the worker at once. */
  readonly stop: () => void;
  /**
   * Changes a setting before the next iteration begins. Resolves when that has happened or was refused; what waits and what was refused
   * stands in the state.
   */
  readonly intervene: (command: SteeringCommand) => Promise<Acknowledgement>;
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
}

/** Connects a store with the trainer worker of the moment; at most one exists. */
export function createRunner(world: RunnerWorld): Runner {
  const desk = createDesk(world);
  return {
    start(spec) {
      if (isActive(world.store.getState().phase))
        return Promise.reject(new Error('A run is active. Stop it before you start another one.'));
      desk.apply({ kind: 'started', spec });
      return desk.open(spec);
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
    intervene: (command) => desk.intervene(command),
    reset() {
      desk.terminate();
      desk.apply({ kind: 'reset' });
    },
  };
}

interface Desk {
  readonly apply: (event: RunEvent) => void;
  /** Starts a worker; resolves when its run has ended. */
  readonly open: (spec: ExperimentSpec) => Promise<void>;
  readonly terminate: () => void;
  readonly intervene: (command: SteeringCommand) => Promise<Acknowledgement>;
  readonly ask: (request: (client: TrainerClient) => Promise<void>) => void;
}

/** Owns the worker of the active run. */
function createDesk(world: RunnerWorld): Desk {
  const { store } = world;
  let active: ActiveRun | null = null;
  let numCommands = 0;
  const apply = (event: RunEvent): void =>
    store.setState(applyRunEvent(store.getState(), event, world.nowMs()), true);
  const close = (): void => {
    const ending = active;
    active = null;
    ending?.client.terminate();
    ending?.end();
  };
  const deliver = (batch: readonly StampedEvent[]): void => {
    const next = batch.reduce(
      (state, { event, atMs }) => applyRunEvent(state, event, atMs),
      store.getState(),
    );
    store.setState(next, true);
    if (!isActive(next.phase)) close();
  };
  return {
    apply,
    open: (spec) =>
      new Promise((resolve) => {
        const client = launch(world, spec, (batch, from) => {
          // Events of a run that was ended or reset meanwhile belong to nobody.
          if (active?.client === from) deliver(batch);
        });
        active = { client, end: resolve };
      }),
    terminate: () => {
      apply({ kind: 'terminated' });
      close();
    },
    async intervene(command) {
      if (active === null)
        return { ok: false, reason: 'Nothing runs, so there is nothing to change.' };
      const id = numCommands++;
      apply({ kind: 'commanded', id, command });
      const answer = await answerOf(active.client, command);
      if (!answer.ok) apply({ kind: 'commandRefused', id, reason: answer.reason });
      return answer;
    },
    ask: (request) => {
      if (active === null) return;
      request(active.client).catch((error: unknown) =>
        apply({ kind: 'notice', message: `The trainer did not follow: ${messageOf(error)}` }),
      );
    },
  };
}

async function answerOf(
  client: TrainerClient,
  command: SteeringCommand,
): Promise<Acknowledgement> {
  try {
    return await client.intervene(command);
  } catch (error) {
    return { ok: false, reason: `The trainer did not follow: ${messageOf(error)}` };
  }
}

function launch(
  world: RunnerWorld,
  spec: ExperimentSpec,
  deliver: (batch: readonly StampedEvent[], from: TrainerClient) => void,
): TrainerClient {
  const queue = createEventQueue((batch) => deliver(batch, client), {
    nowMs: world.nowMs,
    later: (callback) => world.later(callback, deliveryMs),
  });
  const crash = (message: string): void => queue.push({ kind: 'crashed', message });
  const client = world.createClient(queue.push, crash);
  client.start(spec).then(
    () =>
      world.later(() => crash('The trainer ended without saying how. Restart.'), lastEventGraceMs),
    (error: unknown) => crash(`The trainer failed: ${messageOf(error)}`),
  );
  return client;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
