import { useMemo } from 'react';
import {
  conflictLead,
  conflictMatrices,
  type ConflictCell,
  type ConflictMatrix,
  type ConflictView,
} from './conflictText';

/** Which agents that share a policy pull its weights apart: a matrix an arm, agents × agents. */
export function GradientConflict(view: ConflictView) {
  const { pairs, arms, agents } = view;
  const matrices = useMemo(() => conflictMatrices({ pairs, arms, agents }), [pairs, arms, agents]);
  return (
    <section className="conflict" aria-label="Gradient conflict">
      <p className="conflict-lead">{conflictLead(view)}</p>
      {matrices.length > 0 && (
        <div className="conflict-matrices">
          {matrices.map((matrix) => (
            <Matrix key={matrix.arm} matrix={matrix} />
          ))}
        </div>
      )}
    </section>
  );
}

/** What scrolls has to be reachable by keyboard, although nothing in it can be pressed. */
const reachable = { tabIndex: 0 };

function Matrix({ matrix }: { readonly matrix: ConflictMatrix }) {
  const { arm, caption, agents, cells } = matrix;
  return (
    <section className="conflict-matrix" aria-label={`Gradient conflict of ${arm}`} {...reachable}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Agent</th>
            {agents.map((agent) => (
              <th scope="col" key={agent}>
                {agent}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {agents.map((row, i) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              {agents.map((column, j) => (
                <Cell key={column} cell={cells[i]?.[j] ?? null} isOwn={i === j} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ cell, isOwn }: { readonly cell: ConflictCell | null; readonly isOwn: boolean }) {
  if (cell === null)
    return <td className="conflict-none">{isOwn ? '' : 'no common policy, or not learned'}</td>;
  const { cosine, band, tone, word } = cell;
  return (
    <td data-tone={tone}>
      <strong>{cosine}</strong>
      <span className="conflict-word">{word}</span>
      {band !== '' && <span className="conflict-band">{band}</span>}
    </td>
  );
}
