import type { ExperimentSpec } from '../config/experimentSpec';
import { specHash } from '../config/specHash';
import { metricPeaks, type ReplicaPeaks } from '../metrics/metricPeaks';
import { summarizeRun, type RunSummary } from '../metrics/summary';
import type { LoggedIntervention } from '../config/loggedIntervention';
import type { PolicyStatus } from '../protocol/trainerApi';
import { elapsedMs, tokensPerSecond, type RunPhase, type RunState } from './runState';
import { runScope } from './runScope';
import { framesOf, useFrames } from './throughputFrames';
import { throughputReport, type ThroughputReport } from './throughputReport';

/** A run in one JSON document: what ran, where, how it ended and what came out. */
export interface RunReport extends RunSummary {
  readonly spec: ExperimentSpec;
  readonly specHash: string;
  readonly phase: RunPhase;
  /** Why the run failed, if it did. */
  readonly message: string | null;
  readonly notices: readonly string[];
  /** Settings that have changed while it ran, oldest first. */
  readonly interventions: readonly LoggedIntervention[];
  /** Last finished iteration. */
  readonly iteration: number;
  readonly wallMs: number;
  readonly tokensPerSecond: number | null;
  readonly throughput: ThroughputReport;
  readonly fingerprint: {
    readonly userAgent: string;
    readonly devices: readonly PolicyStatus[];
  };
  /** Every metric of every replica, by agent. */
  readonly replicas: readonly ReplicaPeaks[];
}

/** Null before the first run. */
export function runReport(run: RunState): RunReport | null {
  if (run.spec === null) return null;
  const scope = runScope(run.spec);
  return {
    spec: run.spec,
    specHash: specHash(run.spec),
    phase: run.phase,
    message: run.message,
    notices: run.notices,
    interventions: run.interventions,
    iteration: run.iteration,
    wallMs: elapsedMs(run, performance.now()),
    tokensPerSecond: tokensPerSecond(run),
    throughput: throughputReport(run.throughput, framesOf(useFrames.getState(), run.startedAtMs)),
    fingerprint: { userAgent: navigator.userAgent, devices: run.policies },
    ...summarizeRun(run.series, scope),
    replicas: metricPeaks(run.series, scope),
  };
}

/** Saves a text or bytes as a file through the browser’s own download. */
export function download(name: string, type: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
