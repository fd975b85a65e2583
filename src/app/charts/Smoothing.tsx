import { useId } from 'react';

/** Steps of the slider: fine where the average is long. */
const weights = [0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999];

interface SmoothingProps {
  /** 0 … 0.999; null = it differs from chart to chart. */
  readonly value: number | null;
  readonly onChange: (value: number) => void;
}

function textOf(value: number | null): string {
  if (value === null) return 'mixed';
  return value === 0 ? 'off' : String(value);
}

export function Smoothing({ value, onChange }: SmoothingProps) {
  const id = useId();
  const step = weights.findLastIndex((weight) => weight <= (value ?? 0));
  return (
    <div className="view-control">
      <label htmlFor={id}>Smoothing</label>
      <input
        id={id}
        type="range"
        min={0}
        max={weights.length - 1}
        step={1}
        value={step}
        aria-valuetext={textOf(value)}
        onChange={({ target }) => onChange(weights[target.valueAsNumber]!)}
      />
      {/* No output element: the page has one live region, and the slider says its value itself. */}
      <span className="view-value" aria-hidden="true">
        {textOf(value)}
      </span>
    </div>
  );
}
