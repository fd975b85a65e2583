import type { ExperimentSpec, TrainingSpec } from '../config/experimentSpec';
import { shown } from '../config/issueMessages';
import { differencesOf, replicasOf } from '../config/overrides';
import { scheduledShare } from '../config/scheduledRate';
import { specHash } from '../config/specHash';
import type { RunCheckpoint } from './runCheckpoint';

/** Whether a run can be gone on with such that it becomes the run that was never interrupted. */

/**
 * Why `spec` cannot go on from `checkpoint`, in sentences for people; null if it can. `spec` must be the specification of the
 * checkpoint, but it may have more iterations: the run is then extended, and is from there on the run that had so many from the
 * start. Where it would not be, it is refused.
 */
export function resumeRefusal(checkpoint: RunCheckpoint, spec: ExperimentSpec): string | null {
  const { spec: before, iteration } = checkpoint;
  const other = { ...before, iterations: spec.iterations };
  if (specHash(other) !== specHash(spec))
    return `The checkpoint is of another experiment: ${differenceText(other, spec)}. Open the experiment that it was taken from, or start the run anew.`;
  if (spec.iterations < before.iterations)
    return `The checkpoint is of a run of ${before.iterations} iterations, and ${spec.iterations} are asked for: ask for ${before.iterations} or more.`;
  if (iteration >= spec.iterations)
    return `The checkpoint stands behind iteration ${iteration}, the last of this run: raise the number of iterations to go on.`;
  return spec.iterations === before.iterations ? null : extensionRefusal(checkpoint, spec);
}

function differenceText(before: ExperimentSpec, spec: ExperimentSpec): string {
  const [first, ...others] = differencesOf(spec, before);
  if (first === undefined) return 'its hash is another';
  const more = others.length === 0 ? '' : `, and ${others.length} more settings differ`;
  return `${first.path} is ${shown(first.from)} there and ${shown(first.to)} here${more}`;
}

/** What already happened in another way than it would have in the longer run. */
function extensionRefusal(
  { spec: before, iteration }: RunCheckpoint,
  spec: ExperimentSpec,
): string | null {
  const trainings = new Set(replicasOf(spec).map(({ training }) => training));
  for (const training of trainings) {
    const policyId = rescheduledPolicy(training, iteration, [before.iterations, spec.iterations]);
    if (policyId !== null)
      return `The run cannot be extended from iteration ${iteration}: the learning rate of policy ${policyId} was scheduled for ${before.iterations} iterations, and in a run of ${spec.iterations} it would have been another. Start a run of ${spec.iterations} iterations anew.`;
    const { staleIterations } = training.groups;
    if (iteration + staleIterations > before.iterations)
      return `The run cannot be extended from iteration ${iteration}: rollouts wait ${staleIterations} iterations, and those of iteration ${before.iterations + 1} would have been sampled by now. Take a checkpoint of iteration ${before.iterations - staleIterations} or earlier.`;
  }
  return null;
}

/** A policy whose rate up to `iteration` is another if the run has another length; null without one. */
function rescheduledPolicy(
  { agents, policies }: TrainingSpec,
  iteration: number,
  [before, after]: readonly [number, number],
): string | null {
  const used = new Set(Object.values(agents).map(({ policy }) => policy));
  for (const policyId of used) {
    const { schedule } = policies[policyId]!;
    for (let past = 1; past <= iteration; past++)
      if (scheduledShare(schedule, past, before) !== scheduledShare(schedule, past, after))
        return policyId;
  }
  return null;
}
