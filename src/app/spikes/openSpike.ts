import { create } from 'zustand';
import type { Spike } from './spikeList';

/** A spike that is being read. */
interface OpenSpike {
  /** Id of the experiment cell. */
  readonly experiment: string;
  readonly spike: Spike;
  /** Those that Previous and Next lead to. */
  readonly listed: readonly Spike[];
}

/** Null while none is. */
export const useOpenSpike = create<{ readonly open: OpenSpike | null }>(() => ({ open: null }));

export function openSpike(open: OpenSpike): void {
  useOpenSpike.setState({ open });
}

/** Closes the reader; the browser gives the focus back to what had it before. */
export function closeSpike(): void {
  useOpenSpike.setState({ open: null });
}
