import type { GroupOutline } from './groupOutline';
import { groupLabel, type ParameterCounts } from './teamText';

/** One outline around the agents that share a policy. */
export function GroupOutlines({ outlines }: { readonly outlines: readonly GroupOutline[] }) {
  return outlines.map((outline) => (
    <g key={outline.group.policyId}>
      {/* Drawn twice, a little smaller the second time: boxes and bands become one shape with one line around it. */}
      <OutlineShape outline={outline} className="team-group-line" inset={0} />
      <OutlineShape outline={outline} className="team-group-fill" inset={1} />
    </g>
  ));
}

interface GroupLabelsProps {
  readonly outlines: readonly GroupOutline[];
  readonly parameters: ParameterCounts;
}

/** The names of the shared policies; over the edges, which may enter an outline where its name stands. */
export function GroupLabels({ outlines, parameters }: GroupLabelsProps) {
  return outlines.map(({ group, label }) => (
    <text key={group.policyId} x={label.x} y={label.y} className="team-group-label">
      {groupLabel(group, parameters)}
    </text>
  ));
}

/** Width of what joins the members that stand apart. Unit: CSS px. */
const bandWidth = 18;

interface OutlineShapeProps {
  readonly outline: GroupOutline;
  readonly className: string;
  /** Unit: CSS px. */
  readonly inset: number;
}

function OutlineShape({ outline: { boxes, bands }, className, inset }: OutlineShapeProps) {
  return (
    <g className={className}>
      {bands.map(([x1, y1, x2, y2]) => (
        <line
          key={`${x1} ${y1} ${x2} ${y2}`}
          x1={x1}
          y1={y1}
          x2={x2}
          y2={y2}
          strokeWidth={bandWidth - 2 * inset}
        />
      ))}
      {boxes.map(({ x, y, width, height }) => (
        <rect
          key={`${x} ${y}`}
          x={x + inset}
          y={y + inset}
          width={width - 2 * inset}
          height={height - 2 * inset}
          rx={8 - inset}
        />
      ))}
    </g>
  );
}
