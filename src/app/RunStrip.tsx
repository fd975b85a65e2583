import { useStore } from 'zustand';
import { formatCount, formatDuration } from '../metrics/format';
import { Icon } from './icons';
import { etaMs, isActive, tokensPerSecond, type RunState } from './runState';
import { useActiveExperiment } from './activeExperiment';
import { deskOf, useDesk } from './desks';
import { useRun } from './runStore';
import { phaseText } from './runText';
import { useRunnable } from './runnable';

/** Run, Pause, Step, Stop, Reset and how far the run is. */
export function RunStrip() {
  return (
    <section className="run-strip" aria-label="Run">
      <div className="run-buttons">
        <StartButton />
        <PauseButton />
        <StepButton />
        <StopButton />
        <ResetButton />
      </div>
      <RunProgress />
    </section>
  );
}

function StartButton() {
  const { runner } = useDesk();
  const runnable = useRunnable();
  const isRunning = useRun(({ phase }) => isActive(phase));
  const hasFailed = useRun(({ phase }) => phase === 'failed');
  return (
    <button
      type="button"
      className="primary"
      disabled={!runnable.ok || isRunning}
      title={runnable.ok ? undefined : runnable.reason}
      aria-describedby={runnable.ok ? undefined : 'run-reason'}
      onClick={() => {
        // How the run ends stands in the store.
        if (runnable.ok) void runner.start(runnable.spec);
      }}
    >
      <Icon name="run" />
      {hasFailed ? 'Restart' : 'Run'}
    </button>
  );
}

function PauseButton() {
  const { runner } = useDesk();
  const isPaused = useRun(({ phase }) => phase === 'paused');
  const canPause = useRun(({ phase, request }) => isActive(phase) && request === null);
  return isPaused ? (
    <button type="button" className="pause-button" onClick={runner.resume}>
      <Icon name="run" />
      Resume
    </button>
  ) : (
    <button type="button" className="pause-button" disabled={!canPause} onClick={runner.pause}>
      <Icon name="pause" />
      Pause
    </button>
  );
}

function StepButton() {
  const { runner } = useDesk();
  const isPaused = useRun(({ phase }) => phase === 'paused');
  return (
    <button
      type="button"
      disabled={!isPaused}
      title="One iteration, then pause again"
      onClick={runner.step}
    >
      <Icon name="step" />
      Step
    </button>
  );
}

/** Stops whatever runs: its cell may be another one, or deleted meanwhile, and then nothing else leads to it. */
function StopButton() {
  const shown = useDesk();
  const active = useActiveExperiment(({ id }) => id);
  const { run, runner } = active === null ? shown : deskOf(active);
  const isRunning = useStore(run, ({ phase }) => isActive(phase));
  const isStopping = useStore(run, ({ request }) => request === 'stop');
  return (
    <button
      type="button"
      className="stop-button"
      disabled={!isRunning}
      title={isStopping ? 'Ends the workers at once' : 'Ends the run before the next iteration'}
      onClick={runner.stop}
    >
      <Icon name="stop" />
      {isStopping ? 'Stop now' : 'Stop'}
    </button>
  );
}

function ResetButton() {
  const { runner } = useDesk();
  const isIdle = useRun(({ phase }) => phase === 'idle');
  return (
    <button
      type="button"
      disabled={isIdle}
      title="Ends the run and clears its results"
      onClick={runner.reset}
    >
      <Icon name="reset" />
      Reset
    </button>
  );
}

function RunProgress() {
  const text = useRun(phaseText);
  const detail = useRun((state) => state.detail);
  const count = useRun(iterationText);
  const left = useRun(timeLeftText);
  const rate = useRun(rateText);
  const share = useRun(shareDone);
  return (
    <div className="progress">
      <div className="progress-text">
        <span className="progress-phase" title={detail === '' ? undefined : detail}>
          {text}
          {detail !== '' && <span className="muted"> {detail}</span>}
        </span>
        <span className="progress-count">{count}</span>
        <span className="progress-left muted">{left}</span>
        <span className="progress-rate muted">{rate}</span>
      </div>
      <progress aria-label="Progress of the run" max={1} value={share ?? undefined} />
    </div>
  );
}

function iterationText({ phase, spec, iteration }: RunState): string {
  return phase === 'idle' || spec === null ? '' : `${iteration}/${spec.iterations}`;
}

function timeLeftText(state: RunState): string {
  const eta = isActive(state.phase) ? etaMs(state) : null;
  return eta === null ? '' : `${formatDuration(eta)} left`;
}

function rateText(state: RunState): string {
  const rate = tokensPerSecond(state);
  return rate === null ? '' : `${formatCount(rate)} tok/s`;
}

/** Null for a phase of unknown length: the bar then shows activity instead of a share. */
function shareDone(state: RunState): number | null {
  if (state.phase === 'idle' || state.spec === null) return 0;
  const isTraining = state.iteration > 0 || state.phase === 'training' || !isActive(state.phase);
  return isTraining ? state.iteration / state.spec.iterations : state.share;
}
