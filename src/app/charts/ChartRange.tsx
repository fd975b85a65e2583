import { useId } from 'react';
import type { ChartView } from './chartView';
import { xName, type ChartX } from './xAxis';

interface EndProps {
  readonly label: string;
  readonly value: number | null;
  readonly onChange: (value: number) => void;
}

/** One end of the part in view; empty while all is. */
function End({ label, value, onChange }: EndProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="number"
        step="any"
        value={value ?? ''}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
    </>
  );
}

interface ChartRangeProps {
  readonly x: ChartX;
  readonly zoom: ChartView['zoom'];
  readonly onZoom: (zoom: ChartView['zoom']) => void;
}

/** The part of the x axis in view, for those who do not drag. */
export function ChartRange({ x, zoom, onZoom }: ChartRangeProps) {
  const [from, to] = zoom ?? [null, null];
  const zoomTo = (next: readonly [number, number]): void => {
    if (next[0] < next[1]) onZoom(next);
  };
  return (
    <div className="view-control">
      <End
        label={`From ${xName(x)}`}
        value={from === -Infinity ? null : from}
        onChange={(value) => zoomTo([value, to ?? Infinity])}
      />
      <End
        label="to"
        value={to === Infinity ? null : to}
        onChange={(value) => zoomTo([from ?? (x.kind === 'metric' ? -Infinity : 0), value])}
      />
      <button
        type="button"
        className="chart-button"
        disabled={zoom === null}
        onClick={() => onZoom(null)}
      >
        Show all
      </button>
    </div>
  );
}
