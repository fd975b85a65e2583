import { useEffect } from 'react';
import { useActiveTooltipLabel, useIsTooltipActive, usePlotArea, ZIndexLayer } from 'recharts';
import type { PanelAxis } from './panelAxis';
import { usePlotScale } from './PlotLines';
import { xPlaceText, type ChartX } from './xAxis';

/** Above the lines and what stands on them (600), below recharts' cursor (1100). */
const pinLevel = 800;

/** Widest label is about as wide as this. Unit: px. */
const labelRoom = 60;

interface PinLayerProps {
  readonly axis: PanelAxis;
  readonly x: ChartX;
  readonly pins: readonly number[];
  /** Visible part of the x axis. */
  readonly domain: readonly [number, number];
}

/** An upright with number and place for each pin; the values stand under the plot. */
export function PinLayer({ axis, x, pins, domain }: PinLayerProps) {
  const scale = usePlotScale(axis);
  const area = usePlotArea();
  if (!scale || !area) return null;
  return (
    <ZIndexLayer zIndex={pinLevel}>
      <g className="chart-pin-lines" aria-hidden="true">
        {pins.map((place, index) => {
          if (place < domain[0] || place > domain[1]) return null;
          const left = scale.x(place);
          const isLate = left > area.x + area.width - labelRoom;
          return (
            <g key={place}>
              <path d={`M${left} ${area.y}v${area.height}`} />
              <text
                x={left + (isLate ? -4 : 4)}
                y={area.y + 9 + 12 * index}
                textAnchor={isLate ? 'end' : 'start'}
              >
                {`${index + 1}: ${xPlaceText(x, place)}`}
              </text>
            </g>
          );
        })}
      </g>
    </ZIndexLayer>
  );
}

/** Tells those outside the drawing where its cursor stands; draws nothing. */
export function CursorPlace({ onMove }: { readonly onMove: (place: number | null) => void }) {
  const isActive = useIsTooltipActive();
  const x = useActiveTooltipLabel();
  useEffect(() => {
    onMove(isActive && typeof x === 'number' ? x : null);
  }, [onMove, isActive, x]);
  return null;
}
