/** Stop, pause, step and resume as a gate that the training loop passes before each iteration. No timers. */
export interface RunControl {
  pause(): void;
  /** Lets one iteration pass and pauses again. */
  step(): void;
  resume(): void;
  stop(): void;
  /**
   * Resolves to `go` when the next iteration may begin, to `stop` when it must not.
   * @param onPause called once if the gate is closed
   */
  pass(onPause: () => void): Promise<'go' | 'stop'>;
}

type Mode = 'running' | 'paused' | 'stopped';

export function createRunControl(): RunControl {
  const state: { mode: Mode; steps: number } = { mode: 'running', steps: 0 };
  let wake: (() => void) | null = null;
  const change = (next: Mode, addedSteps: number): void => {
    if (state.mode !== 'stopped') state.mode = next;
    state.steps += addedSteps;
    wake?.();
    wake = null;
  };
  return {
    pause: () => change('paused', 0),
    step: () => change('paused', 1),
    resume: () => change('running', 0),
    stop: () => change('stopped', 0),
    async pass(onPause) {
      if (state.mode === 'paused' && state.steps === 0) onPause();
      while (state.mode === 'paused' && state.steps === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (state.mode === 'stopped') return 'stop';
      state.steps = state.mode === 'running' ? 0 : state.steps - 1;
      return 'go';
    },
  };
}
