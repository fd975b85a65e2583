import { ChartMenu } from './ChartMenu';
import { markerName, type Marker } from './markers';

/** More would be no list but a table, and that is in the CSV. */
const maxListed = 200;

interface MarkerMenuProps {
  /** `▲ 4 spikes` */
  readonly label: string;
  readonly agent: string;
  readonly markers: readonly Marker[];
  readonly onOpen: (marker: Marker) => void;
}

/** A count of marks that opens as the list of them. */
export function MarkerMenu({ label, agent, markers, onOpen }: MarkerMenuProps) {
  const listed = markers
    .toSorted((a, b) => a.iteration - b.iteration || a.seed - b.seed)
    .slice(0, maxListed);
  return (
    <ChartMenu isChip label={label}>
      <ul>
        {listed.map((marker) => (
          <li key={`${marker.arm}/${marker.metric}/${marker.seed}/${marker.iteration}`}>
            <button type="button" className="chart-button" onClick={() => onOpen(marker)}>
              {markerName(marker, agent)}
            </button>
          </li>
        ))}
      </ul>
      {markers.length > maxListed && <p>and {markers.length - maxListed} more, in the CSV</p>}
    </ChartMenu>
  );
}
