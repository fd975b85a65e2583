import { LineSample } from './LineSample';
import type { HiddenEntries, LegendEntry } from './legendState';
import type { MetricKey } from '../../metrics/catalog';

/** One button of the legend with the line it stands for. */
export interface DrawnEntry extends LegendEntry {
  readonly armIndex: number;
  readonly metric?: MetricKey;
}

interface ChartLegendProps {
  readonly title: string;
  readonly entries: readonly DrawnEntry[];
  readonly hidden: HiddenEntries;
  readonly onToggle: (id: string) => void;
  readonly onIsolate: (id: string) => void;
  /** An entry is pointed at or has the focus: bring its lines forward; null = none. */
  readonly onEmphasize: (id: string | null) => void;
}

/** A click hides or shows, a double click (with the keyboard: Shift and Enter) shows this one alone. */
export function ChartLegend(props: ChartLegendProps) {
  const { title, entries, hidden, onToggle, onIsolate, onEmphasize } = props;
  return (
    <fieldset className="chart-legend" aria-label={`Lines of ${title}`}>
      {entries.map(({ id, label, armIndex, metric }) => (
        <button
          key={id}
          type="button"
          aria-pressed={!hidden.has(id)}
          title="Click: hide or show. Double click or Shift + Enter: only this one."
          onClick={(event) => (event.shiftKey ? onIsolate(id) : onToggle(id))}
          onDoubleClick={() => onIsolate(id)}
          onPointerEnter={() => onEmphasize(id)}
          onPointerLeave={() => onEmphasize(null)}
          onFocus={() => onEmphasize(id)}
          onBlur={() => onEmphasize(null)}
        >
          <LineSample armIndex={armIndex} metric={metric} color="currentColor" />
          {label}
        </button>
      ))}
    </fieldset>
  );
}
