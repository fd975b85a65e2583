import type { FailureTagState } from '../rl/failureTags';
import { initialBaselines, type Baselines } from './baselines';
import type { ReplicaPlan } from './cohorts';
import { initialCollapse, type CollapseMemory } from './collapseWatch';
import { initialTags } from './failureTagging';
import { noPulses, type PulseMemory } from './pulses';
import { initialSpikes, type SpikeMemory } from './spikeWatch';

/** What a replica carries from iteration to iteration beside its weights. Plain data; replaced as a whole. */
export interface ReplicaMemory {
  readonly baselines: Baselines;
  /** Null without failure tags. */
  readonly tags: FailureTagState | null;
  readonly pulse: PulseMemory;
  readonly collapse: CollapseMemory;
  readonly spikes: SpikeMemory;
  /** Tokens learned from so far. */
  readonly tokenCount: number;
}

export function initialMemory(plan: ReplicaPlan): ReplicaMemory {
  return {
    baselines: initialBaselines(plan.workflow.spec.agents.length),
    tags: initialTags(plan.training.failureTags),
    pulse: noPulses,
    collapse: initialCollapse(plan),
    spikes: initialSpikes(plan),
    tokenCount: 0,
  };
}
