import { create } from 'zustand';
import { isActive } from './runState';
import { activeDesk } from './activeExperiment';
import { watchRuns } from './desks';
import { countFrames, noFrames, type FrameCount, type FrameWorld } from './throughputFrameCount';

/** The count of the run that started at `runStartedAtMs`; of no run before the first. */
interface FrameState extends FrameCount {
  readonly runStartedAtMs: number | null;
}

export const useFrames = create<FrameState>(() => ({ ...noFrames, runStartedAtMs: null }));

/** The count that belongs to the run on the page: none of an earlier one. */
export function framesOf(frames: FrameState, runStartedAtMs: number | null): FrameCount {
  const { numShown, numLong } = frames.runStartedAtMs === runStartedAtMs ? frames : noFrames;
  return { numShown, numLong };
}

const page: FrameWorld = {
  requestFrame: (callback) => requestAnimationFrame(callback),
  cancelFrame: (handle) => cancelAnimationFrame(handle),
  isHidden: () => document.hidden,
  onVisibility: (callback) => {
    document.addEventListener('visibilitychange', callback);
    return () => document.removeEventListener('visibilitychange', callback);
  },
};

/** Counts the page’s frames whenever a run is at work and not paused; returns how to end that. */
export function startFrameCount(): () => void {
  let end: (() => void) | null = null;
  const follow = (): void => {
    const run = activeDesk()?.run.getState();
    const startedAtMs = run?.startedAtMs ?? null;
    const isWorking = run !== undefined && isActive(run.phase) && run.phase !== 'paused';
    if (isWorking === (end !== null)) return;
    if (end !== null) {
      end();
      end = null;
      return;
    }
    end = countFrames(page, framesOf(useFrames.getState(), startedAtMs), (count) =>
      useFrames.setState({ ...count, runStartedAtMs: startedAtMs }),
    );
  };
  const unsubscribe = watchRuns(follow);
  follow();
  return () => {
    unsubscribe();
    end?.();
    end = null;
  };
}
