import { proxy, wrap } from 'comlink';
import type { ExperimentSpec } from '../config/experimentSpec';
import type { SteeringCommand } from '../config/interventionSchema';
import type { Acknowledgement, TrainerApi, TrainerListener } from '../protocol/trainerApi';

/** One trainer worker with one run in it. */
export interface TrainerClient {
  /** Resolves when the trainer says that the run has ended; rejects when it could not even say that. */
  readonly start: (spec: ExperimentSpec) => Promise<void>;
  readonly pause: () => Promise<void>;
  readonly step: () => Promise<void>;
  readonly resume: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly intervene: (command: SteeringCommand) => Promise<Acknowledgement>;
  /** Ends the worker and the policy workers it started, whatever they are doing. */
  readonly terminate: () => void;
}

/**
 * Starts a trainer worker. `listener` gets the trainer's events; `onCrash` is called when the worker itself breaks
 * (script not loaded, uncaught error, message that could not be read), after which no event comes any more.
 */
export function createTrainerClient(
  listener: TrainerListener,
  onCrash: (message: string) => void,
): TrainerClient {
  const worker = new Worker(new URL('../../workers/trainer.worker.ts', import.meta.url), {
    type: 'module',
  });
  worker.addEventListener('error', (event) => onCrash(describeWorkerError(event)));
  worker.addEventListener('messageerror', () =>
    onCrash('A message from the trainer could not be read. Restart the run.'),
  );
  const trainer = wrap<TrainerApi>(worker);
  return {
    start: (spec) => trainer.start(spec, proxy(listener)),
    pause: () => trainer.pause(),
    step: () => trainer.step(),
    resume: () => trainer.resume(),
    stop: () => trainer.stop(),
    intervene: (command) => trainer.intervene(command),
    terminate: () => worker.terminate(),
  };
}

/** A script that could not be loaded gives an event without any text. */
function describeWorkerError(event: ErrorEvent): string {
  return event.message
    ? `The trainer worker stopped with “${event.message}”.`
    : 'The trainer worker could not be loaded. Check that every file of the site was deployed, then restart.';
}
