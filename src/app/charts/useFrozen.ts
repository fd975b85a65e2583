import { useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { holdPlot } from './heldPlots';

interface Frozen {
  readonly isFrozen: boolean;
  readonly handlers: {
    readonly onPointerEnter: () => void;
    readonly onPointerLeave: () => void;
    // On the way down: buttons over the drawing keep their events from it.
    readonly onFocusCapture: (event: { target: Element }) => void;
    readonly onBlurCapture: () => void;
  };
}

/** A plot holds still while someone points at it, or walks through it with the arrow keys. */
export function useFrozen(): Frozen {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const handlers = useMemo(
    () => ({
      // At once: the move that follows looks for its place among those the plot has by then.
      onPointerEnter: () => flushSync(() => setPointed(true)),
      onPointerLeave: () => setPointed(false),
      // A click focuses the drawing too, and would hold it long after the pointer has left.
      onFocusCapture: ({ target }: { target: Element }) =>
        setFocused(target.matches(':focus-visible')),
      onBlurCapture: () => setFocused(false),
    }),
    [],
  );
  const isFrozen = isPointed || isFocused;
  useEffect(() => (isFrozen ? holdPlot() : undefined), [isFrozen]);
  return { isFrozen, handlers };
}
