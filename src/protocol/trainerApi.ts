import type { ExperimentSpec } from '../config/experimentSpec';
import type { MetricRow } from '../metrics/catalog';
import type { PolicyInfo, PolicyUsage } from './policyApi';

/** The door between the page and the trainer worker: few coarse calls in, a stream of events out. */

export type TrainerPhase = 'preparing' | 'selfTest' | 'warmStart' | 'training';

export interface PolicyStatus extends PolicyInfo {
  readonly policyId: string;
  readonly numReplicas: number;
}

/** Host and wait time of one iteration's stages. Unit: ms of wall time. */
export interface StageTimes {
  readonly rolloutMs: number;
  readonly advantagesMs: number;
  readonly updateMs: number;
}

/** One agent's turn, as people read it. */
export interface TranscriptTurn {
  readonly agent: string;
  readonly prompt: string;
  readonly action: string;
  readonly isValid: boolean;
}

export interface Transcript {
  readonly arm: string;
  readonly seed: number;
  readonly iteration: number;
  readonly turns: readonly TranscriptTurn[];
  readonly reward: number;
}

export type TrainerEvent =
  | {
      readonly kind: 'phase';
      readonly phase: TrainerPhase;
      readonly detail: string;
      readonly share: number | null;
    }
  | { readonly kind: 'policies'; readonly policies: readonly PolicyStatus[] }
  | {
      readonly kind: 'iteration';
      /** 0 = the state after the warm start, before any update. */
      readonly iteration: number;
      readonly rows: readonly MetricRow[];
      readonly transcripts: readonly Transcript[];
      /** Sampled and trained tokens of this iteration, all replicas. */
      readonly tokens: number;
      readonly times: StageTimes;
    }
  /** After every iteration: what each policy has done since the start of the run. */
  | {
      readonly kind: 'throughput';
      readonly iteration: number;
      readonly policies: readonly (PolicyUsage & { readonly policyId: string })[];
    }
  /** Something the user should know that does not stop the run. */
  | { readonly kind: 'notice'; readonly message: string }
  | { readonly kind: 'paused'; readonly iteration: number }
  | {
      readonly kind: 'finished';
      readonly iteration: number;
      readonly reason: 'completed' | 'stopped';
    }
  | { readonly kind: 'failed'; readonly iteration: number; readonly message: string };

export type TrainerListener = (event: TrainerEvent) => void;

/** `pause`, `step`, `resume` and `stop` take effect before the next iteration begins. */
export interface TrainerApi {
  /** Resolves when the run has ended, however it ended; how is told by the last event. */
  start(spec: ExperimentSpec, listener: TrainerListener): Promise<void>;
  pause(): Promise<void>;
  /** Runs one iteration and pauses again. */
  step(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}
