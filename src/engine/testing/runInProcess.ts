import { defaultGroups } from '../../config/defaults';
import { createTfjsCritic } from '../../agents/tfjsCritic';
import { createPolicyByBackend } from '../../agents/policyByBackend';
import type { ExperimentSpec } from '../../config/experimentSpec';
import { presets } from '../../config/presets';
import type { MetricRow } from '../../metrics/catalog';
import type { StartOptions, TrainerApi, TrainerEvent } from '../../protocol/trainerApi';
import {
  createTrainer,
  type CriticHandle,
  type PolicyHandle,
  type TrainerEnvironment,
} from '../trainer';
import { tinyArchitecture } from './tinyArchitecture';

/** Whole runs on the `cpu` backend in this thread, for tests. */

const tinyPolicy = {
  ...presets['route-search-answer'].spec.policies['router']!,
  architecture: tinyArchitecture,
};

/** The default experiment, shrunk until an iteration takes milliseconds. */
export function tinySpec(changes: Partial<ExperimentSpec> = {}): ExperimentSpec {
  return {
    ...presets['route-search-answer'].spec,
    policies: { router: tinyPolicy, search: tinyPolicy, answer: tinyPolicy },
    groups: { ...defaultGroups.parallel, tasksPerIteration: 2, groupSize: 4 },
    warmStart: { targetSuccess: 0.9, maxSteps: 2, tasksPerStep: 8, learningRate: 0.01 },
    evaluation: { every: 2, tasks: 8, greedy: false },
    iterations: 3,
    seeds: [0],
    backend: 'cpu',
    ...changes,
  };
}

export function tinyPolicies(ids: readonly string[]): ExperimentSpec['policies'] {
  return Object.fromEntries(ids.map((id) => [id, tinyPolicy]));
}

/** A policy in this thread. */
export function localPolicy(): PolicyHandle {
  const api = createPolicyByBackend({ now: () => 0, gpu: () => undefined });
  return { api, terminate: () => void api.dispose() };
}

/** A critic in this thread. */
function localCritic(): CriticHandle {
  const api = createTfjsCritic();
  return { api, terminate: () => void api.dispose() };
}

/** Time stands still, so that nothing in a test depends on it. */
export const stillEnvironment: TrainerEnvironment = {
  createPolicy: localPolicy,
  createCritic: localCritic,
  now: () => 0,
};

/** Everything a run said, in order. `onEvent` may act on the trainer. */
export async function eventsOf(
  spec: ExperimentSpec,
  environment: TrainerEnvironment = stillEnvironment,
  onEvent: (event: TrainerEvent, trainer: TrainerApi) => void = () => {},
  options: StartOptions = {},
): Promise<TrainerEvent[]> {
  const events: TrainerEvent[] = [];
  const trainer = createTrainer(environment);
  const listener = (event: TrainerEvent): void => {
    events.push(event);
    onEvent(event, trainer);
  };
  await trainer.start(spec, listener, options);
  return events;
}

export function rowsOf(events: readonly TrainerEvent[]): MetricRow[] {
  return events.flatMap((event) => (event.kind === 'iteration' ? event.rows : []));
}

/** What a run said with these options, undisturbed. */
export function eventsWith(spec: ExperimentSpec, options: StartOptions): Promise<TrainerEvent[]> {
  return eventsOf(spec, stillEnvironment, () => {}, options);
}

/** The checkpoints of a run by their iteration. */
export function checkpointsIn(events: readonly TrainerEvent[]): Map<number, ArrayBuffer> {
  return new Map(
    events.flatMap((event): [number, ArrayBuffer][] =>
      event.kind === 'checkpoint' ? [[event.iteration, event.bytes]] : [],
    ),
  );
}
