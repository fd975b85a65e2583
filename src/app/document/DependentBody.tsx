import type { DependentCell } from '../../notebook/cells';
import { ChartCellBody } from './ChartCellBody';
import { ClaimCellBody } from './ClaimCellBody';
import { ComparisonCellBody } from './ComparisonCellBody';
import { MicroscopeCellBody } from './MicroscopeCellBody';
import { RolloutsCellBody } from './RolloutsCellBody';

interface DependentBodyProps {
  readonly cell: DependentCell;
  readonly isEditing: boolean;
}

/** What the cells show that speak of an experiment. */
export function DependentBody({ cell, isEditing }: DependentBodyProps) {
  switch (cell.kind) {
    case 'chart':
      return <ChartCellBody cell={cell} isEditing={isEditing} />;
    case 'comparison':
      return <ComparisonCellBody cell={cell} isEditing={isEditing} />;
    case 'rollouts':
      return <RolloutsCellBody cell={cell} />;
    case 'microscope':
      return <MicroscopeCellBody cell={cell} />;
    case 'claim':
      return <ClaimCellBody cell={cell} isEditing={isEditing} />;
  }
}
