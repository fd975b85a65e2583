import type { SavedReplica } from '../config/checkpointSchema';
import { createSpikeWindow, isSpikeNext, spikeRule, type SpikeWindow } from '../metrics/spikes';
import type { CollapseState } from '../rl/collapse';
import type { FailureTagState } from '../rl/failureTags';
import type { Baselines } from './baselines';
import { requireFit } from './checkpointMisfit';
import type { ReplicaPlan } from './cohorts';
import type { Trajectory } from './experience';
import { initialTags } from './failureTagging';
import type { ReplicaMemory } from './memory';
import { packTrajectories } from './packTrajectories';
import type { PulseMemory } from './pulses';
import type { SuccessBuffer } from './successBuffer';
import { unpackTrajectories } from './unpackTrajectories';

/** What a replica carries from iteration to iteration, for a file. */

type SavedTags = NonNullable<SavedReplica['tags']>;
type SavedAgent = SavedReplica['agents'][number];

function packTagged(numbers: ReadonlyMap<string, number>): SavedTags['weights'] {
  return { names: [...numbers.keys()], values: Float64Array.from(numbers.values()) };
}

function packTags({ weights, prevalences }: FailureTagState): SavedTags {
  return { weights: packTagged(weights), prevalences: packTagged(prevalences) };
}

function packPulses({ phase }: PulseMemory): SavedReplica['pulses'] {
  // All steps of a pulse are taken inside the iteration that it falls due in.
  if (phase.phase !== 'rl') throw new Error('A run cannot be written down inside a pulse.');
  const { numIterations, numPulses } = phase;
  return { numIterations, numPulses };
}

function packSuccesses({ tasks }: SuccessBuffer): SavedReplica['successes'] {
  return {
    tasks: Float64Array.from(tasks.flatMap(({ rank, rollouts }) => [rank, rollouts.length])),
    rollouts: packTrajectories(tasks.flatMap(({ rollouts }) => rollouts)),
  };
}

function packAgent(
  { peakValidActionRate, baselineNorms, signs }: CollapseState,
  { recent }: SpikeWindow,
): SavedAgent {
  return {
    peak: Float64Array.of(peakValidActionRate),
    baselineNorms: Float64Array.from(baselineNorms),
    recentNorms: Float64Array.from(recent),
    signs,
  };
}

/** @param waiting rollouts of the replica that were not learned from yet, batch by batch */
export function packMemory(
  { arm, seed }: ReplicaPlan,
  memory: ReplicaMemory,
  waiting: readonly Trajectory[],
): SavedReplica {
  const { baselines, tags, pulse, collapse, spikes, tokenCount } = memory;
  return {
    arm,
    seed,
    tokenCount,
    baselines: Float64Array.of(...baselines.ofRoles, baselines.ofBatch),
    tags: tags === null ? null : packTags(tags),
    pulses: packPulses(pulse),
    successes: packSuccesses(pulse.successes),
    agents: collapse.map((state, index) => packAgent(state, spikes[index]!)),
    waiting: packTrajectories(waiting),
  };
}

function unpackBaselines(
  { workflow }: ReplicaPlan,
  values: Float64Array,
  place: string,
): Baselines {
  const numAgents = workflow.spec.agents.length;
  const fits = values.length === numAgents + 1;
  requireFit(fits, place, `${values.length} came, expected ${numAgents} and one`);
  return { ofRoles: values.slice(0, numAgents), ofBatch: values[numAgents]! };
}

function unpackTags(
  { training }: ReplicaPlan,
  saved: SavedReplica['tags'],
  place: string,
): FailureTagState | null {
  const initial = initialTags(training.failureTags);
  requireFit((saved === null) === (initial === null), place, 'failure tags are on in one of both');
  if (saved === null || initial === null) return null;
  const unpacked = ({ names, values }: SavedTags['weights']): Map<string, number> => {
    requireFit(names.length === values.length, place, 'expected one number a tag');
    const numbers = new Map(names.map((name, index) => [name, values[index]!]));
    requireFit(numbers.size === names.length, place, 'a tag came twice');
    return numbers;
  };
  return { weights: unpacked(saved.weights), prevalences: unpacked(saved.prevalences) };
}

function unpackSuccesses(
  plan: ReplicaPlan,
  { tasks, rollouts }: SavedReplica['successes'],
  place: string,
): SuccessBuffer {
  const all = unpackTrajectories(plan, rollouts, `${place}.rollouts`);
  requireFit(tasks.length % 2 === 0, place, 'expected two numbers a task');
  let next = 0;
  const kept = Array.from({ length: tasks.length / 2 }, (_, task) => {
    const [rank, count] = [tasks[2 * task]!, tasks[2 * task + 1]!];
    const isRank = Number.isInteger(rank) && rank >= 0 && rank <= 0xffffffff;
    requireFit(isRank, place, `rank ${rank} came, expected a uint32`);
    const isCount = Number.isInteger(count) && count >= 1 && next + count <= all.length;
    requireFit(isCount, place, `a task of ${count} rollouts came`);
    next += count;
    return { rank, rollouts: all.slice(next - count, next) };
  });
  requireFit(next === all.length, place, 'there are rollouts of no task');
  return { tasks: kept };
}

/** The window after the norms that it holds; `sorted` follows from them. */
function unpackWindow(norms: Float64Array, place: string): SpikeWindow {
  const fits = norms.length <= spikeRule.window && norms.every((norm) => norm > 0);
  requireFit(fits, place, `expected at most ${spikeRule.window} norms above 0`);
  const window = createSpikeWindow();
  for (const norm of norms) isSpikeNext(window, norm);
  return window;
}

function unpackCollapse({ peak, baselineNorms, signs }: SavedAgent, place: string): CollapseState {
  const [rate] = peak;
  const isRate = peak.length === 1 && rate !== undefined && rate >= 0 && rate <= 1;
  requireFit(isRate, place, `peak: expected one share from 0 to 1`);
  const areNorms = baselineNorms.length <= spikeRule.window && baselineNorms.every((n) => n > 0);
  requireFit(areNorms, place, 'baselineNorms: expected a few norms above 0');
  return { peakValidActionRate: rate!, baselineNorms: [...baselineNorms], signs };
}

interface UnpackedReplica {
  readonly memory: ReplicaMemory;
  readonly waiting: readonly Trajectory[];
}

/** The inverse of `packMemory`. Throws a CheckpointMisfit where it cannot be of `plan`. */
export function unpackMemory(plan: ReplicaPlan, saved: SavedReplica): UnpackedReplica {
  const place = `replicas.${plan.index}`;
  const { arm, seed, workflow } = plan;
  const isSame = saved.arm === arm && saved.seed === seed;
  requireFit(isSame, place, `${saved.arm}, seed ${saved.seed} came, expected ${arm}, seed ${seed}`);
  const numAgents = workflow.spec.agents.length;
  const fits = saved.agents.length === numAgents;
  requireFit(fits, `${place}.agents`, `${saved.agents.length} came, expected ${numAgents}`);
  const successes = unpackSuccesses(plan, saved.successes, `${place}.successes`);
  return {
    memory: {
      baselines: unpackBaselines(plan, saved.baselines, `${place}.baselines`),
      tags: unpackTags(plan, saved.tags, `${place}.tags`),
      pulse: { phase: { phase: 'rl', ...saved.pulses }, successes },
      collapse: saved.agents.map((agent, i) => unpackCollapse(agent, `${place}.agents.${i}`)),
      spikes: saved.agents.map(({ recentNorms }, i) =>
        unpackWindow(recentNorms, `${place}.agents.${i}.recentNorms`),
      ),
      tokenCount: saved.tokenCount,
    },
    waiting: unpackTrajectories(plan, saved.waiting, `${place}.waiting`),
  };
}
