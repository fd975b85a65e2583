import { useId } from 'react';
import { Choice, namedAsIs } from '../Choice';
import { scales, xAxisNames, type ChartView } from './chartView';
import { Smoothing } from './Smoothing';

/** No arm is called so. */
const none = '';

interface ChartOptionsProps {
  readonly title: string;
  readonly view: ChartView;
  readonly arms: readonly string[];
  readonly onChange: (change: Partial<ChartView>) => void;
  readonly onFullScreen: () => void;
}

/** Settings of one chart. */
export function ChartOptions({ title, view, arms, onChange, onFullScreen }: ChartOptionsProps) {
  return (
    <fieldset className="chart-options" aria-label={`View of ${title}`}>
      <Choice
        className="view-control"
        label="Y axis"
        value={view.scale}
        options={scales.map((scale) => [scale, scale])}
        onChoose={(scale) => onChange({ scale })}
      />
      <Smoothing value={view.smoothing} onChange={(smoothing) => onChange({ smoothing })} />
      <Choice
        className="view-control"
        label="Difference to"
        value={view.baseline ?? none}
        options={[[none, 'none'], ...namedAsIs(arms)]}
        onChoose={(baseline) => onChange({ baseline: baseline === none ? null : baseline })}
      />
      <Clip isClipped={view.isClipped} onChange={(isClipped) => onChange({ isClipped })} />
      <Range view={view} onChange={onChange} />
      <button type="button" className="chart-button" onClick={onFullScreen}>
        Full screen
      </button>
    </fieldset>
  );
}

interface ClipProps {
  readonly isClipped: boolean;
  readonly onChange: (isClipped: boolean) => void;
}

function Clip({ isClipped, onChange }: ClipProps) {
  const id = useId();
  return (
    <div className="view-control">
      <input
        id={id}
        type="checkbox"
        checked={isClipped}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>Clip the axis to the middle 90 %</label>
    </div>
  );
}

interface RangeProps {
  readonly view: ChartView;
  readonly onChange: (change: Partial<ChartView>) => void;
}

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
        min={0}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
    </>
  );
}

/** The part of the x axis in view, for those who do not drag. */
function Range({ view: { zoom, xAxis }, onChange }: RangeProps) {
  const [from, to] = zoom ?? [null, null];
  const zoomTo = (next: readonly [number, number]): void => {
    if (next[0] < next[1]) onChange({ zoom: next });
  };
  return (
    <div className="view-control">
      <End
        label={`From ${xAxisNames[xAxis]}`}
        value={from}
        onChange={(value) => zoomTo([value, to ?? Infinity])}
      />
      <End
        label="to"
        value={to === Infinity ? null : to}
        onChange={(value) => zoomTo([from ?? 0, value])}
      />
      <button
        type="button"
        className="chart-button"
        disabled={zoom === null}
        onClick={() => onChange({ zoom: null })}
      >
        Show all
      </button>
    </div>
  );
}
