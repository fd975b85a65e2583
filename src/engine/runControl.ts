/** What the training loop does at the gate. */
interface Passing {
  /** Called once if the gate is closed. */
  readonly onPause: () => void;
  /** Writes the run down and tells which iteration it stands behind. Without it, who asks for that waits for a later pass. */
  readonly save?: () => Promise<number>;
}

/** Stop, pause, step and resume as a gate that the training loop passes before each iteration. No timers. */
export interface RunControl {
  pause(): void;
  /** Lets one iteration pass and pauses again. */
  step(): void;
  resume(): void;
  stop(): void;
  /** Asks for the run to be written down at the gate, also while it is closed. Rejects with what `save` throws. */
  askToSave(): Promise<number>;
  /** Resolves to `go` when the next iteration may begin, to `stop` when it must not; whoever asked to save is served before. */
  pass(passing: Passing): Promise<'go' | 'stop'>;
  /** Serves whoever asked to save, for the last time. */
  serve(save: () => Promise<number>): Promise<void>;
  /** Turns away whoever still waits: no pass comes any more. */
  close(): void;
}

interface Asked {
  readonly resolve: (iteration: number) => void;
  readonly reject: (reason: unknown) => void;
}

type Mode = 'running' | 'paused' | 'stopped';

export function createRunControl(): RunControl {
  const state: { mode: Mode; steps: number } = { mode: 'running', steps: 0 };
  let asked: Asked[] = [];
  let wake: (() => void) | null = null;
  const takeAsked = (): Asked[] => {
    const taken = asked;
    asked = [];
    return taken;
  };
  const serve = async (save: () => Promise<number>): Promise<void> => {
    while (asked.length > 0) {
      const served = takeAsked();
      try {
        const iteration = await save();
        for (const { resolve } of served) resolve(iteration);
      } catch (error) {
        for (const { reject } of served) reject(error);
      }
    }
  };
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
    askToSave: () =>
      new Promise((resolve, reject) => {
        asked.push({ resolve, reject });
        change(state.mode, 0);
      }),
    async pass({ onPause, save }) {
      const serveHere = (): Promise<void> => (save === undefined ? Promise.resolve() : serve(save));
      await serveHere();
      const isClosed = (): boolean => state.mode === 'paused' && state.steps === 0;
      if (isClosed()) onPause();
      while (isClosed()) {
        // Whoever asked while others were served is not waited for.
        if (save === undefined || asked.length === 0)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        await serveHere();
      }
      if (state.mode === 'stopped') return 'stop';
      state.steps = state.mode === 'running' ? 0 : state.steps - 1;
      return 'go';
    },
    serve,
    close() {
      for (const { reject } of takeAsked())
        reject(new Error('The run ended before it could be written down.'));
    },
  };
}
