import { memo, useEffect, useRef, type FocusEvent, type KeyboardEvent } from 'react';
import type { NotebookCell } from '../../notebook/cells';
import type { StaleCause } from '../../notebook/staleness';
import { ExperimentContext } from '../desks';
import { CellBar } from './CellBar';
import { CellBody } from './CellBody';
import { cellCommand, type CellCommand } from './cellKeys';
import { cellLabel } from './cellText';
import {
  applyToDocument,
  copyCell,
  presentNotebook,
  removeCell,
  shiftCell,
  useDocument,
} from './documentStore';
import { focusCell } from './focusCell';
import { openPalette } from './palette';
import { StaleMark } from './StaleMark';

interface CellFrameProps {
  readonly cell: NotebookCell;
  readonly index: number;
  readonly staleBecause: readonly StaleCause[] | undefined;
}

/** One cell with what all kinds have in common: selection, keys, its bar, and what makes it stale. */
export const CellFrame = memo(function CellFrame({ cell, index, staleBecause }: CellFrameProps) {
  const { id, kind } = cell;
  const frame = useRef<HTMLDivElement>(null);
  const isSelected = useDocument(({ selected }) => selected === id);
  const isEditing = useDocument(({ editing }) => editing === id);
  const isEntry = useDocument(({ selected }) =>
    selected === null ? index === 0 : selected === id,
  );
  useEffect(() => {
    // What was edited in place gives the focus back to its cell when it closes.
    if (!isEditing && isSelected && document.activeElement === document.body)
      frame.current?.focus();
  }, [isEditing, isSelected]);
  return (
    <ExperimentContext
      value={kind === 'text' ? null : kind === 'experiment' ? id : cell.experiment}
    >
      <div
        ref={frame}
        id={`cell-${id}`}
        className={`cell cell-${kind}`}
        role="group"
        aria-label={cellLabel(cell)}
        data-width={kind === 'chart' ? cell.width : 'full'}
        data-selected={isSelected}
        data-stale={staleBecause !== undefined}
        {...focusable(isEntry)}
        onFocus={(event: FocusEvent) => {
          if (!isSelected && frame.current?.contains(event.target))
            applyToDocument({ kind: 'selected', cell: id });
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Escape' && isEditing && !event.defaultPrevented) {
            applyToDocument({ kind: 'editingEnded' });
            frame.current?.focus();
            return;
          }
          if (event.target !== frame.current) return;
          const command = cellCommand(event);
          if (command === null) return;
          event.preventDefault();
          obey(command, id, index);
        }}
      >
        <CellBar cell={cell} index={index} isSelected={isSelected} isEditing={isEditing} />
        {staleBecause !== undefined && <StaleMark causes={staleBecause} />}
        <CellBody cell={cell} isEditing={isEditing} />
      </div>
    </ExperimentContext>
  );
});

/** A cell takes the focus itself, so that keys can speak of it as a whole; one of them is a tab stop. */
function focusable(isEntry: boolean) {
  return { tabIndex: isEntry ? 0 : -1 };
}

function obey(command: CellCommand, id: string, index: number): void {
  const { cells } = presentNotebook();
  const goTo = (place: number): void => {
    const cell = cells[Math.max(0, Math.min(cells.length - 1, place))];
    if (cell !== undefined) focusCell(cell.id);
  };
  switch (command) {
    case 'next':
      return goTo(index + 1);
    case 'previous':
      return goTo(index - 1);
    case 'first':
      return goTo(0);
    case 'last':
      return goTo(cells.length - 1);
    case 'moveDown':
    case 'moveUp':
      shiftCell(id, command === 'moveDown' ? 1 : -1);
      return focusCell(id);
    case 'edit':
      return applyToDocument({ kind: 'editingBegun', cell: id });
    case 'addAbove':
      return openPalette({ kind: 'add', at: index });
    case 'addBelow':
      return openPalette({ kind: 'add', at: index + 1 });
    case 'duplicate':
      copyCell(id);
      return focusSelected();
    case 'delete':
      removeCell(id);
      return focusSelected();
  }
}

function focusSelected(): void {
  const { selected } = useDocument.getState();
  if (selected !== null) focusCell(selected);
}
