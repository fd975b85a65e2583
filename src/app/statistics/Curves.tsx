import { Area, CartesianGrid, ComposedChart, Line, XAxis, YAxis } from 'recharts';
import { formatTick } from '../../metrics/format';
import { lineDash } from '../charts/lineStyle';

/** One arm's curve with its interval. */
export interface Curve {
  readonly arm: string;
  readonly armIndex: number;
  readonly xs: ArrayLike<number>;
  /** NaN = none. */
  readonly values: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly high: ArrayLike<number>;
}

interface CurvesProps {
  readonly name: string;
  readonly xName: string;
  readonly curves: readonly Curve[];
}

const tickStyle = { fill: 'var(--muted)', fontSize: 11 };

function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}

function pointsOf({ xs, values, low, high }: Curve) {
  return Array.from(xs, (x, index) => {
    const [from, to] = [finite(low[index]), finite(high[index])];
    return {
      x,
      value: finite(values[index]),
      range: from === null || to === null ? null : [from, to],
    };
  });
}

/** Curves between 0 and 1 over a common axis, told apart by their dashes as the arms are everywhere. */
export function Curves({ name, xName, curves }: CurvesProps) {
  return (
    <figure className="curves" aria-label={name}>
      <figcaption>{name}</figcaption>
      <ComposedChart
        className="metric-plot"
        responsive
        margin={{ top: 8, right: 12, bottom: 14, left: 0 }}
        aria-label={name}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="x"
          type="number"
          domain={['dataMin', 'dataMax']}
          tick={tickStyle}
          tickFormatter={formatTick}
          allowDuplicatedCategory={false}
          label={{
            value: xName,
            position: 'insideBottom',
            offset: -10,
            fill: 'var(--muted)',
            fontSize: 11,
          }}
        />
        <YAxis domain={[0, 1]} tick={tickStyle} tickFormatter={formatTick} width={34} />
        {curves.map((curve) => (
          <Area
            key={`${curve.arm} range`}
            data={pointsOf(curve)}
            dataKey="range"
            stroke="none"
            fill="var(--ink)"
            fillOpacity={0.08}
            isAnimationActive={false}
            activeDot={false}
          />
        ))}
        {curves.map((curve) => (
          <Line
            key={curve.arm}
            data={pointsOf(curve)}
            dataKey="value"
            name={curve.arm}
            stroke="var(--ink)"
            strokeWidth={1.5}
            dot={false}
            isAnimationActive={false}
            {...lineDash(curve.armIndex, 'success')}
          />
        ))}
      </ComposedChart>
    </figure>
  );
}
