import { useId, useState } from 'react';
import { metricCatalog, type MetricKey } from '../../metrics/catalog';
import { foundMetrics, toggleMetric } from './chartChoices';
import { ChartMenu } from './ChartMenu';

interface MetricPickerProps {
  readonly metrics: readonly MetricKey[];
  readonly onChange: (metrics: MetricKey[]) => void;
}

const levels = [
  ['agent', 'Of each agent'],
  ['team', 'Of the team'],
] as const;

/** All metrics of the catalog, to be searched; those of one level can be shown together. */
export function MetricPicker({ metrics, onChange }: MetricPickerProps) {
  const id = useId();
  const [text, setText] = useState('');
  const found = foundMetrics(text);
  return (
    <ChartMenu label={`Metrics: ${metrics.length}`}>
      <label htmlFor={id}>Find a metric</label>
      <input id={id} type="search" value={text} onChange={({ target }) => setText(target.value)} />
      {levels.map(([level, legend]) => (
        <MetricList
          key={level}
          legend={legend}
          listed={found.filter((metric) => metricCatalog[metric].level === level)}
          metrics={metrics}
          onToggle={(metric) => onChange(toggleMetric(metrics, metric))}
        />
      ))}
      {found.length === 0 && <p className="muted">No metric is called so.</p>}
    </ChartMenu>
  );
}

interface MetricListProps {
  readonly legend: string;
  readonly listed: readonly MetricKey[];
  readonly metrics: readonly MetricKey[];
  readonly onToggle: (metric: MetricKey) => void;
}

function MetricList({ legend, listed, metrics, onToggle }: MetricListProps) {
  const id = useId();
  if (listed.length === 0) return null;
  return (
    <fieldset>
      <legend>{legend}</legend>
      {listed.map((metric) => (
        <div className="view-control" key={metric} title={metricCatalog[metric].meaning}>
          <input
            id={`${id}${metric}`}
            type="checkbox"
            checked={metrics.includes(metric)}
            onChange={() => onToggle(metric)}
          />
          <label htmlFor={`${id}${metric}`}>{metricCatalog[metric].label}</label>
        </div>
      ))}
    </fieldset>
  );
}
