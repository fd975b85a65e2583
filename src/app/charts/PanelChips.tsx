import type { PanelModel } from './chartModel';
import { MarkerMenu } from './MarkerMenu';
import type { Marker } from './markers';

interface PanelChipsProps {
  readonly model: PanelModel;
  /** Iterations that have come since the plot holds still. */
  readonly numNew: number;
  readonly agent: string;
  readonly onOpenMarker: (marker: Marker) => void;
}

/** What a plot cannot show by itself; marks can be opened. */
export function PanelChips({ model, numNew, agent, onOpenMarker }: PanelChipsProps) {
  const spikes = model.markers.filter(({ kind }) => kind === 'spike');
  const notFinite = model.markers.filter(({ kind }) => kind === 'notFinite');
  const drawn = model.lines.length;
  const { numOffScale } = model;
  const texts = [
    numNew > 0 && `${numNew} new`,
    numOffScale > 0 && `${numOffScale} ${numOffScale === 1 ? 'point' : 'points'} off scale`,
    model.numHidden > 0 && `${model.numHidden} at or below 0`,
    model.numLinesLeftOut > 0 && `${drawn} of ${drawn + model.numLinesLeftOut} lines`,
  ].filter((text) => text !== false);
  const menus = [
    { label: `▲ ${spikes.length} ${spikes.length === 1 ? 'spike' : 'spikes'}`, markers: spikes },
    { label: `▲ ${notFinite.length} not finite`, markers: notFinite },
  ].filter(({ markers }) => markers.length > 0);
  return (
    <span className="chart-chips">
      {texts.map((text) => (
        <span className="chart-chip" key={text}>
          {text}
        </span>
      ))}
      {menus.map(({ label, markers }) => (
        <MarkerMenu
          key={markers[0]!.kind}
          label={label}
          agent={agent}
          markers={markers}
          onOpen={onOpenMarker}
        />
      ))}
    </span>
  );
}
