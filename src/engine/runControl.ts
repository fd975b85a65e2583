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
  let mode: Mode = 'running';
  let steps = 0;
  let wake: (() => void) | null = null;
  const change = (next: Mode, addedSteps: number): void => {
    if (mode !== 'stopped') mode = next;
    steps += addedSteps;
    wake?.();
    wake = null;
  };
  return {
    pause: () => change('paused', 0),
    step: () => change('paused', 1),
    resume: () => change('running', 0),
    stop: () => change('stopped', 0),
    async pass(onPause) {
      let hasAnnounced = false;
      while (mode === 'paused' && steps === 0) {
        if (!hasAnnounced) onPause();
        hasAnnounced = true;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (mode === 'stopped') return 'stop';
      if (mode === 'running') steps = 0;
      else steps -= 1;
      return 'go';
    },
  };
}
