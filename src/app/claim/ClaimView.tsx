import { formatNumber } from '../../metrics/format';
import { enoughSeeds } from '../../metrics/taskScores';
import type { ClaimCell } from '../../notebook/cells';
import { statementText } from '../../notebook/claimText';
import { relationSigns, type ClaimVerdict, type SeedVerdict } from '../../notebook/claimVerdict';
import { Icon } from '../icons';

interface ClaimViewProps {
  readonly cell: ClaimCell;
  readonly verdict: ClaimVerdict;
}

const words = {
  reproduced: 'Reproduced',
  notReproduced: 'Not reproduced',
  notRun: 'Not run',
  stale: 'Stale',
  cannotBeJudged: 'Cannot be judged',
} as const;

const icons = {
  reproduced: 'check',
  notReproduced: 'remove',
  notRun: 'run',
  stale: 'warning',
  cannotBeJudged: 'help',
} as const;

/** A claim in words, the verdict on it, and the numbers that it was judged by. */
export function ClaimView({ cell, verdict }: ClaimViewProps) {
  const { kind, sentence, seeds } = verdict;
  const text = statementText(cell.statement, seeds.length);
  return (
    <div className="claim" data-verdict={kind}>
      <p className="claim-statement">{`${text.charAt(0).toUpperCase()}${text.slice(1)}.`}</p>
      <p className="claim-verdict">
        <Icon name={icons[kind]} />
        <strong>{words[kind]}</strong>
        <span>{sentence}</span>
      </p>
      {seeds.length > 0 && <ClaimNumbers cell={cell} verdict={verdict} />}
    </div>
  );
}

function ClaimNumbers({ cell, verdict }: ClaimViewProps) {
  const { left, right, seeds, numCompared, numHolding } = verdict;
  const sign = relationSigns[cell.statement.relation];
  return (
    <details className="claim-numbers">
      <summary>
        Numbers by seed <span className="muted">N = {numCompared}</span>
        {numCompared < enoughSeeds && (
          <span className="claim-few">
            <Icon name="warning" />
            fewer than {enoughSeeds} seeds: the outcome may be chance
          </span>
        )}
      </summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Seed</th>
            <th scope="col">Left</th>
            <th scope="col">
              <span className="visually-hidden">Relation</span>
            </th>
            <th scope="col">Right</th>
            <th scope="col">Holds</th>
          </tr>
        </thead>
        <tbody>
          {seeds.map((seed) => (
            <SeedRow key={seed.seed} sign={sign} {...seed} />
          ))}
          <tr className="claim-total">
            <th scope="row">all</th>
            <td>{numberText(left)}</td>
            <td>{sign}</td>
            <td>{numberText(right)}</td>
            <td>
              {numHolding} of {numCompared}
            </td>
          </tr>
        </tbody>
      </table>
    </details>
  );
}

function SeedRow({ seed, left, right, holds, sign }: SeedVerdict & { readonly sign: string }) {
  return (
    <tr data-holds={holds}>
      <th scope="row">{seed}</th>
      <td>{numberText(left)}</td>
      <td>{sign}</td>
      <td>{numberText(right)}</td>
      <td>{holds === null ? 'no value' : holds ? 'yes' : 'no'}</td>
    </tr>
  );
}

function numberText(value: number | null): string {
  return value === null ? '–' : formatNumber(value);
}
