import { lazy, Suspense } from 'react';
import type { DependentCell, NotebookCell } from '../../notebook/cells';
import { brokenCellOf, type BrokenName } from '../../notebook/references';
import { ExperimentCellBody } from './ExperimentCellBody';
import { usePresent } from './documentStore';

// What draws is the largest part of the page and not needed for the form.
const DependentBody = lazy(async () => ({
  default: (await import('./DependentBody')).DependentBody,
}));
const TextCellBody = lazy(async () => ({ default: (await import('./TextCellBody')).TextCellBody }));

interface CellBodyProps {
  readonly cell: NotebookCell;
  readonly isEditing: boolean;
}

/** What a cell shows, by its kind. */
export function CellBody({ cell, isEditing }: CellBodyProps) {
  if (cell.kind === 'experiment') return <ExperimentCellBody />;
  if (cell.kind === 'text')
    return (
      <Suspense fallback={<div className="cell-loading cell-loading-text" />}>
        <TextCellBody cell={cell} isEditing={isEditing} />
      </Suspense>
    );
  return <Dependent cell={cell} isEditing={isEditing} />;
}

function Dependent({
  cell,
  isEditing,
}: {
  readonly cell: DependentCell;
  readonly isEditing: boolean;
}) {
  const notebook = usePresent();
  const broken = brokenCellOf(notebook, cell);
  // A name that is missing can be chosen again where the cell is edited; a missing experiment shows nothing at all.
  if (broken?.place === 'experiment') return <BrokenNote broken={broken} />;
  return (
    <>
      {broken !== null && <BrokenNote broken={broken} />}
      <Suspense fallback={<div className={`cell-loading cell-loading-${cell.kind}`} />}>
        <DependentBody cell={cell} isEditing={isEditing} />
      </Suspense>
    </>
  );
}

function BrokenNote({ broken: { place, name, known } }: { readonly broken: BrokenName }) {
  const advice =
    place === 'experiment'
      ? 'Undo, or delete this cell and add it below another experiment.'
      : `It has ${known.join(', ')}: choose one of them here, or undo.`;
  const what =
    place === 'experiment'
      ? `The experiment ${name} is no longer in the notebook.`
      : `The experiment has no ${place} ${name} any more.`;
  return (
    <p className="cell-broken">
      {what} {advice}
    </p>
  );
}
