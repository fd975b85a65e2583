import type { StaleCause } from '../../notebook/staleness';
import { differenceText } from '../settingText';

/** Differences that are listed; the notice over the page has them all. */
const maxListed = 3;

/** Says that a cell's runs were made with other settings, and with which. */
export function StaleMark({ causes }: { readonly causes: readonly StaleCause[] }) {
  const differences = causes.flatMap((cause) => cause.differences);
  const listed = differences.slice(0, maxListed).map(differenceText);
  const more = differences.length - listed.length;
  const text = `${listed.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  return (
    <p className="stale-mark" title={text}>
      Stale<span className="visually-hidden">: changed since the run: {text}</span>
    </p>
  );
}
