import { usePlotArea, useXAxisScale, ZIndexLayer } from 'recharts';
import type { PlacedChange } from './chartChanges';

/** Above the lines and what stands on them (600), below pins (800). */
const changeLevel = 700;

/** Height of a label with its air, and how many stand under each other before the first row is used again. Unit: px. */
const rowHeight = 13;
const numRows = 4;
/** An average letter at 11 px. Unit: px. */
const letterWidth = 5.8;

/** Cut to what fits beside the line. */
function fitting(label: string, room: number): string {
  const numLetters = Math.floor(room / letterWidth);
  return label.length <= numLetters ? label : `${label.slice(0, Math.max(0, numLetters - 1))}…`;
}

/** An upright where settings changed while the run went on, with what changed; on the side that has more room. */
export function ChangeLayer({ changes }: { readonly changes: readonly PlacedChange[] }) {
  const toX = useXAxisScale();
  const area = usePlotArea();
  if (!toX || !area) return null;
  return (
    <ZIndexLayer zIndex={changeLevel}>
      <g className="chart-changes" aria-hidden="true">
        {changes.map(({ id, label, x }, index) => {
          const left = Number(toX(x));
          const isLate = left > area.x + area.width / 2;
          const room = (isLate ? left - area.x : area.x + area.width - left) - 6;
          return (
            <g key={id}>
              <path d={`M${left} ${area.y}v${area.height}`} />
              <text
                x={left + (isLate ? -4 : 4)}
                y={area.y + 9 + rowHeight * (index % numRows)}
                textAnchor={isLate ? 'end' : 'start'}
              >
                {fitting(label, room)}
              </text>
            </g>
          );
        })}
      </g>
    </ZIndexLayer>
  );
}
