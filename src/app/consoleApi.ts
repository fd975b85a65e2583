import { metricsCsv } from '../metrics/toCsv';
import { rowsFrom } from '../metrics/runSeries';
import type { MetricRow } from '../metrics/catalog';
import type { PolicyStatus } from '../protocol/trainerApi';
import { specFrom, type LoadedSpec, type SpecAdjustment, type SpecSource } from './loadSource';
import { runReport, type RunReport } from './runExport';
import { elapsedMs, etaMs, tokensPerSecond, type RunPhase } from './runState';
import { runnableOf } from './runnable';
import { currentDesk } from './desks';
import { openSpec, refuse } from './openDocument';
import { verifyingReason } from './verify/verificationState';
import { checkWebgpuSupport, useWebgpuSupport } from './webgpuSupport';

/** Where the run of the page stands, in plain data. */
interface RunStatus {
  readonly phase: RunPhase;
  readonly iteration: number;
  readonly iterations: number;
  /** Why the run failed, or what its present phase is doing; null for nothing to say. */
  readonly message: string | null;
  readonly notices: readonly string[];
  readonly etaMs: number | null;
  readonly tokensPerSecond: number | null;
  readonly wallMs: number;
  readonly policies: readonly PolicyStatus[];
}

/** `window.marlbook`: the page by console and by script. It does what the buttons do. */
interface ConsoleApi {
  /** Loads a configuration into the form, like opening a link; runs nothing. */
  load(source: SpecSource, adjust?: SpecAdjustment): LoadedSpec;
  /** Runs what the form holds; resolves when the run has ended in any way. Rejects when Run is off, with the reason. */
  run(): Promise<void>;
  pause(): void;
  step(): void;
  resume(): void;
  stop(): void;
  status(): RunStatus;
  /** The rows logged so far, from the `from`-th on. */
  rows(from: number): readonly MetricRow[];
  /** Null before the first run. */
  summary(): RunReport | null;
  csv(): string;
}

declare global {
  interface Window {
    marlbook: ConsoleApi;
  }
}

export function installConsoleApi(): void {
  window.marlbook = {
    load,
    run,
    pause: () => currentDesk().runner.pause(),
    step: () => currentDesk().runner.step(),
    resume: () => currentDesk().runner.resume(),
    stop: () => currentDesk().runner.stop(),
    status,
    rows: (from) => rowsFrom(currentDesk().run.getState().series, from),
    summary: () => runReport(currentDesk().run.getState()),
    csv: () => metricsCsv(currentDesk().run.getState().series),
  };
}

function load(source: SpecSource, adjust?: SpecAdjustment): LoadedSpec {
  const loaded = specFrom(source, adjust);
  if (loaded.ok) openSpec(loaded.spec, 'The console’s input', { kind: 'console' });
  else refuse('The console’s input', loaded.issues);
  return loaded;
}

async function run(): Promise<void> {
  const desk = currentDesk();
  await checkWebgpuSupport();
  const runnable = runnableOf(desk.form.getState().parsed, useWebgpuSupport.getState().support);
  if (!runnable.ok) throw new Error(`Run is off. ${runnable.reason}`);
  const verifying = verifyingReason();
  if (verifying !== null) throw new Error(`Run is off. ${verifying}`);
  await desk.runner.start(runnable.spec);
}

function status(): RunStatus {
  const state = currentDesk().run.getState();
  return {
    phase: state.phase,
    iteration: state.iteration,
    iterations: state.spec?.iterations ?? 0,
    message: state.message ?? (state.detail || null),
    notices: state.notices,
    etaMs: etaMs(state),
    tokensPerSecond: tokensPerSecond(state),
    wallMs: elapsedMs(state, performance.now()),
    policies: state.policies,
  };
}
