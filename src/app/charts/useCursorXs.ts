import { useEffect, useState, useSyncExternalStore } from 'react';
import { isAnyPlotHeld, onPlotsHeld } from './heldPlots';

/** A plot that has not been redrawn for so long has come to rest. Unit: ms. */
const restMs = 2000;

/**
 * The places that recharts finds the cursor at: the newest as soon as someone points at a plot (cursors are shared), and when the drawing
 * has come to rest. While it grows and nobody looks for values they stay behind it, for each change of them costs more than drawing the lines.
 */
export function useCursorXs(xs: readonly number[], isHeld: boolean): readonly number[] {
  const [kept, setKept] = useState(xs);
  const isWanted = useSyncExternalStore(onPlotsHeld, isAnyPlotHeld) || isHeld;
  if (isWanted && kept !== xs) setKept(xs);
  useEffect(() => {
    if (kept === xs) return undefined;
    const timer = setTimeout(() => setKept(xs), restMs);
    return () => clearTimeout(timer);
  }, [kept, xs]);
  return isWanted ? xs : kept;
}
