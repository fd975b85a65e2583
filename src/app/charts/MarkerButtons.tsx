import { useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import { createPortal } from 'react-dom';
import { usePlotArea } from 'recharts';
import { markerName, type Marker } from './markers';
import { pressablePlaces } from './markerPlaces';
import type { PanelAxis } from './panelAxis';
import { usePlotScale } from './PlotLines';

interface MarkerButtonsProps {
  readonly axis: PanelAxis;
  readonly markers: readonly Marker[];
  readonly agent: string;
  /** Lies over the drawing: a drawing can hold no button. */
  readonly host: Element;
  readonly onOpen: (marker: Marker) => void;
}

/** What happens on a button is no business of the drawing around it, which would move its cursor or zoom. */
function keep(event: SyntheticEvent): void {
  event.stopPropagation();
}

/** From one mark to the next: all of them are one stop of the Tab key. */
function walk(event: KeyboardEvent): void {
  event.stopPropagation();
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLElement)) return;
  event.preventDefault();
  const next = step > 0 ? event.target.nextElementSibling : event.target.previousElementSibling;
  if (next instanceof HTMLElement) next.focus();
}

const handlers = {
  onKeyDown: walk,
  onMouseDown: keep,
  onMouseUp: keep,
  onClick: keep,
  onFocus: keep,
  onBlur: keep,
};

/** The triangles of spikes and of values that are not finite, to be pressed. */
export function MarkerButtons({ axis, markers, agent, host, onOpen }: MarkerButtonsProps) {
  const scale = usePlotScale(axis);
  const area = usePlotArea();
  const [current, setCurrent] = useState('');
  if (!scale || !area || markers.length === 0) return null;
  const places = markers.map((marker) => ({
    marker,
    x: scale.x(marker.x),
    y: marker.kind === 'spike' ? scale.y(marker.value) : area.y,
  }));
  const buttons = pressablePlaces(places);
  const names = buttons.map(({ marker }) => markerName(marker, agent));
  const reached = names.includes(current) ? current : names[0];
  return createPortal(
    <fieldset aria-label={`Marks of ${agent}`} {...handlers}>
      {buttons.map(({ marker, x, y }, index) => {
        const name = names[index]!;
        return (
          <button
            key={name}
            type="button"
            className="chart-mark"
            aria-label={name}
            title={name}
            tabIndex={name === reached ? 0 : -1}
            style={{ left: x, top: y }}
            onFocus={() => setCurrent(name)}
            onClick={() => onOpen(marker)}
          />
        );
      })}
    </fieldset>,
    host,
  );
}
