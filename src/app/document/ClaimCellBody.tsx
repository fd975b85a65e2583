import { useMemo } from 'react';
import type { ClaimCell } from '../../notebook/cells';
import { claimEvidence } from '../../notebook/claimEvidence';
import { claimVerdict } from '../../notebook/claimVerdict';
import { ClaimEditor } from '../claim/ClaimEditor';
import { ClaimView } from '../claim/ClaimView';
import { editCell } from './documentStore';
import { useClaimSource } from './readRuns';

interface ClaimCellBodyProps {
  readonly cell: ClaimCell;
  readonly isEditing: boolean;
}

/** A statement about the runs, and what they say to it. */
export function ClaimCellBody({ cell, isEditing }: ClaimCellBodyProps) {
  const source = useClaimSource();
  const verdict = useMemo(
    () => claimVerdict(cell.statement, claimEvidence(cell, source)),
    [cell, source],
  );
  return (
    <>
      {isEditing && (
        <ClaimEditor cell={cell} notebook={source.notebook} onChange={(next) => editCell(next)} />
      )}
      <ClaimView cell={cell} verdict={verdict} />
    </>
  );
}
