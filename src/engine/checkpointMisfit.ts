/** What a checkpoint is refused with that is whole, but does not fit the run. */
export class CheckpointMisfit extends Error {}

/** @param place where in the checkpoint, e.g. `replicas.0.waiting` */
export function requireFit(fits: boolean, place: string, problem: string): void {
  if (!fits) throw new CheckpointMisfit(`${place}: ${problem}`);
}
