import { expose, transfer, type Endpoint } from 'comlink';
import type { TrainerApi } from '../src/protocol/trainerApi';

/** The trainer's end of the door to the page. Checkpoints change hands instead of being copied. */
export function exposeTrainer(trainer: TrainerApi, endpoint?: Endpoint): void {
  const exposed: TrainerApi = {
    ...trainer,
    start: (spec, listener, options) =>
      trainer.start(
        spec,
        (event) => listener(event.kind === 'checkpoint' ? transfer(event, [event.bytes]) : event),
        options,
      ),
  };
  expose(exposed, endpoint);
}
