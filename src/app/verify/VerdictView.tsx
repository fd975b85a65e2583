import { specHash } from '../../config/specHash';
import { tolerances } from '../../metrics/seriesTolerance';
import { announce } from '../announcement';
import { Icon } from '../icons';
import { download } from '../runExport';
import { Remarks } from './Remarks';
import { SeriesTable } from './SeriesTable';
import type { Verdict } from './verdict';
import { verdictFile } from './verdictFile';
import {
  fingerprintRows,
  headline,
  notesOf,
  toleranceText,
  usedTolerances,
  verdictText,
} from './verdictText';

/** What came of a verification: in a sentence, then series by series. */
export function VerdictView({ verdict }: { readonly verdict: Verdict }) {
  const { counts, series } = verdict.comparison;
  const isGood =
    series.length > 0 &&
    counts.differs + counts.missing === 0 &&
    verdict.ending.kind === 'complete';
  return (
    <>
      <p className="verdict" data-good={isGood}>
        <Icon name={isGood ? 'check' : 'warning'} />
        {headline(verdict)}
      </p>
      <Remarks texts={notesOf(verdict)} />
      <TakeAway verdict={verdict} />
      <Fingerprints verdict={verdict} />
      {series.length > 0 && <SeriesTable series={series} />}
      {series.length > 0 && <Tolerances verdict={verdict} />}
    </>
  );
}

function TakeAway({ verdict }: { readonly verdict: Verdict }) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(verdictText(verdict));
      announce('The verdict is on the clipboard.');
    } catch {
      // No permission, or a page without a secure origin.
      announce('The browser did not allow copying: save the verdict as JSON instead.');
    }
  };
  const save = (): void => {
    const name = `marlbook-${specHash(verdict.plan.originalSpec).slice(0, 8)}-verdict.json`;
    download(name, 'application/json', verdictFile(verdict));
    announce(`${name} was saved.`);
  };
  return (
    <p className="verification-actions">
      <button
        type="button"
        onClick={() => {
          // That it was copied, or not, is said in the live region.
          void copy();
        }}
      >
        Copy as text
      </button>
      <button type="button" onClick={save}>
        Save as JSON
      </button>
    </p>
  );
}

function Fingerprints({ verdict }: { readonly verdict: Verdict }) {
  return (
    <section className="verification-table" aria-label="Made with" {...reachable}>
      <table>
        <thead>
          <tr>
            <th scope="col">Made with</th>
            <th scope="col">Original</th>
            <th scope="col">Here</th>
          </tr>
        </thead>
        <tbody>
          {fingerprintRows(verdict).map(({ label, original, again }) => (
            <tr key={label} data-different={original !== again && label !== 'Ended'}>
              <th scope="row">{label}</th>
              <td>{original}</td>
              <td>{again}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What scrolls has to be reachable by keyboard. */
const reachable = { tabIndex: 0 };

function Tolerances({ verdict }: { readonly verdict: Verdict }) {
  return (
    <details>
      <summary>Tolerances, where the bits differ</summary>
      <Remarks
        texts={usedTolerances(verdict).map(
          (kind) =>
            `${tolerances[kind].label}: ${toleranceText(kind)} (${tolerances[kind].reason})`,
        )}
      />
    </details>
  );
}
