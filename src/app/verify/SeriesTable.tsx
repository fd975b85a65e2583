import { metricCatalog } from '../../metrics/catalog';
import type { SeriesVerdict } from '../../metrics/compareSeries';
import { tolerances } from '../../metrics/seriesTolerance';
import { apartText, exact, verdictWords } from './verdictText';

/** Rows beyond this are not drawn; the file has them all. */
const maxRows = 200;

/** Series by series, worst first. */
export function SeriesTable({ series }: { readonly series: readonly SeriesVerdict[] }) {
  return (
    <section className="verification-table" aria-label="Series" {...reachable}>
      <table>
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col">Agent</th>
            <th scope="col">Arm</th>
            <th scope="col">Seed</th>
            <th scope="col">Verdict</th>
            <th scope="col">Original</th>
            <th scope="col">Here</th>
            <th scope="col">Apart</th>
            <th scope="col">Tolerance</th>
          </tr>
        </thead>
        <tbody>
          {series.slice(0, maxRows).map((verdict) => (
            <SeriesRow key={keyOf(verdict)} verdict={verdict} />
          ))}
        </tbody>
      </table>
      {series.length > maxRows && (
        <p className="muted small">
          The first {maxRows} of {series.length}; the JSON file has them all.
        </p>
      )}
    </section>
  );
}

/** What scrolls has to be reachable by keyboard. */
const reachable = { tabIndex: 0 };

function keyOf({ arm, seed, agent, metric }: SeriesVerdict): string {
  return `${arm}/${seed}/${agent}/${metric}`;
}

function SeriesRow({ verdict }: { readonly verdict: SeriesVerdict }) {
  const { metric, agent, arm, seed, kind, tolerance } = verdict;
  const hasNumbers = kind === 'within' || kind === 'differs';
  return (
    <tr data-verdict={kind}>
      <th scope="row">{metricCatalog[metric].label}</th>
      <td>{agent}</td>
      <td>{arm}</td>
      <td>{seed}</td>
      <td>{verdictWords(verdict)}</td>
      <td>{hasNumbers ? exact(verdict.original) : ''}</td>
      <td>{hasNumbers ? exact(verdict.again) : ''}</td>
      <td>{apartText(verdict)}</td>
      <td>{tolerances[tolerance].label}</td>
    </tr>
  );
}
