import { metricsCsv } from '../metrics/toCsv';
import { rowsFrom } from '../metrics/runSeries';
import type { MetricRow } from '../metrics/catalog';
import type { SteeringCommand } from '../config/interventionSchema';
import type { LoggedIntervention } from '../config/loggedIntervention';
import type { Acknowledgement, PolicyStatus } from '../protocol/trainerApi';
import { specFrom, type LoadedSpec, type SpecAdjustment, type SpecSource } from './loadSource';
import { runReport, type RunReport } from './runExport';
import { elapsedMs, etaMs, tokensPerSecond, type RunPhase } from './runState';
import { runnableOf } from './runnable';
import { currentDesk } from './desks';
import { openSpec, refuse } from './openDocument';
import { checkWebgpuSupport, useWebgpuSupport } from './webgpuSupport';

/** Where the run of the page stands, in plain data. */
interface RunStatus {
  readonly phase: RunPhase;
  readonly iteration: number;
  readonly iterations: number;
  /** Why the run failed, or what its present phase is doing; null for nothing to say. */
  readonly message: string | null;
  readonly notices: readonly string[];
  /** Settings that have changed while it ran. */
  readonly interventions: readonly LoggedIntervention[];
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
  /**
   * Changes a setting while the run goes on, e.g. `{ arm: null, path: 'policies.*.optimizer.learningRate', value: 0.001 }`. Resolves
   * when it has taken effect, at the start of the next iteration, or was refused.
   */
  intervene(command: SteeringCommand): Promise<Acknowledgement>;
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
    intervene: (command) => currentDesk().runner.intervene(command),
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
    interventions: state.interventions,
    etaMs: etaMs(state),
    tokensPerSecond: tokensPerSecond(state),
    wallMs: elapsedMs(state, performance.now()),
    policies: state.policies,
  };
}
