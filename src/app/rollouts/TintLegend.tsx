import { usePointedToken } from './TintedToken';
import { fullTintNats } from './episodeText';
import { formatTick } from '../../metrics/format';

/** What the tint of a token means; while one is pointed at, its number instead. */
export function TintLegend() {
  const text = usePointedToken((state) => state.text);
  return (
    <p className="tint-legend">
      <span className="tint-scale" aria-hidden="true" />
      {text ?? (
        <>
          Tint: log-probability of a written token, from 0 (certain) to {formatTick(fullTintNats)}{' '}
          nats or less (surprising)
        </>
      )}
    </p>
  );
}
