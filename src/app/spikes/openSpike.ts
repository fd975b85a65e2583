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

let opener: Element | null = null;

export function openSpike(open: OpenSpike): void {
  if (useOpenSpike.getState().open === null) opener = document.activeElement;
  useOpenSpike.setState({ open });
}

/** Closes the reader; what had the focus before gets it back. */
export function closeSpike(): void {
  useOpenSpike.setState({ open: null });
  if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  opener = null;
}
