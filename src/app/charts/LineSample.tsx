import type { MetricKey } from '../../metrics/catalog';
import { lineDash } from './lineStyle';

interface LineSampleProps {
  readonly armIndex: number;
  readonly metric?: MetricKey | undefined;
  readonly color: string;
}

/** A short piece of a line, as the charts draw it. */
export function LineSample({ armIndex, metric, color }: LineSampleProps) {
  return (
    <svg className="line-sample" width="26" height="8" viewBox="0 0 26 8" aria-hidden="true">
      <path
        d="M1 4h24"
        fill="none"
        stroke={color}
        strokeWidth="2"
        {...lineDash(armIndex, metric)}
      />
    </svg>
  );
}
