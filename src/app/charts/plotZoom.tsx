import { useState } from 'react';
import { usePlotArea, useXAxisScale, ZIndexLayer, type MouseHandlerDataParam } from 'recharts';

/** What the pointer does on a plot: a drag marks a part of the x axis, a click a place. */

/** Places on the x axis where a drag began and has come to. */
type Drag = readonly [number, number];

function placeOf({ activeLabel }: MouseHandlerDataParam): number | null {
  return typeof activeLabel === 'number' ? activeLabel : null;
}

export function useDragZoom(
  onZoom: (zoom: readonly [number, number]) => void,
  onClick: (place: number) => void,
) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const handlers = {
    onMouseDown(state: MouseHandlerDataParam) {
      const place = placeOf(state);
      if (place !== null) setDrag([place, place]);
    },
    onMouseMove(state: MouseHandlerDataParam) {
      const place = placeOf(state);
      if (drag !== null && place !== null) setDrag([drag[0], place]);
    },
    onMouseUp() {
      if (drag !== null && drag[0] !== drag[1]) onZoom([Math.min(...drag), Math.max(...drag)]);
      else if (drag !== null) onClick(drag[0]);
      setDrag(null);
    },
    onMouseLeave: () => setDrag(null),
  };
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
