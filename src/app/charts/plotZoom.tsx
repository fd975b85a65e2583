import { useMemo, useRef, useState } from 'react';
import { usePlotArea, useXAxisScale, ZIndexLayer, type MouseHandlerDataParam } from 'recharts';

/** What the pointer does on a plot: a drag marks a part of the x axis, a click a place. */

/** Places on the x axis where a drag began and has come to. */
export type Drag = readonly [number, number];

function placeOf({ activeLabel }: MouseHandlerDataParam): number | null {
  return typeof activeLabel === 'number' ? activeLabel : null;
}

export interface DragHandlers {
  readonly onMouseDown: (state: MouseHandlerDataParam) => void;
  readonly onMouseMove: (state: MouseHandlerDataParam) => void;
  readonly onMouseUp: () => void;
  readonly onMouseLeave: () => void;
}

/** `onZoom` and `onClick` are stable functions, and so are the handlers: new ones would redraw the frame of the plot. */
export function useDragZoom(
  onZoom: (zoom: readonly [number, number]) => void,
  onClick: (place: number) => void,
): { readonly drag: Drag | null; readonly handlers: DragHandlers } {
  const [drag, setDrag] = useState<Drag | null>(null);
  const latest = useRef<Drag | null>(null);
  const handlers = useMemo((): DragHandlers => {
    const become = (next: Drag | null): void => {
      latest.current = next;
      setDrag(next);
    };
    return {
      onMouseDown(state) {
        const place = placeOf(state);
        if (place !== null) become([place, place]);
      },
      onMouseMove(state) {
        const place = placeOf(state);
        if (latest.current !== null && place !== null) become([latest.current[0], place]);
      },
      onMouseUp() {
        const done = latest.current;
        if (done !== null && done[0] !== done[1]) onZoom([Math.min(...done), Math.max(...done)]);
        else if (done !== null) onClick(done[0]);
        become(null);
      },
      onMouseLeave: () => become(null),
    };
  }, [onZoom, onClick]);
  return { drag, handlers };
}

/** Above the lines (400) and what stands on them (600), below recharts' cursor (1100). */
const zoomLevel = 700;

export function ZoomLayer({ drag }: { readonly drag: Drag | null }) {
  const toX = useXAxisScale();
  const area = usePlotArea();
  if (drag === null || !toX || !area) return null;
  const [from, to] = drag.map((place) => Number(toX(place)));
  return (
    <ZIndexLayer zIndex={zoomLevel}>
      <rect
        className="chart-zoom"
        x={Math.min(from!, to!)}
        y={area.y}
        width={Math.abs(to! - from!)}
        height={area.height}
      />
    </ZIndexLayer>
  );
}
