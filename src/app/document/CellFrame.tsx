import {
  memo,
  useEffect,
  useRef,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react';
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
import { focusCell, focusSelected } from './focusCell';
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
  const frame = useRef<HTMLFieldSetElement>(null);
  const isSelected = useDocument(({ selected }) => selected === id);
  const isEditing = useDocument(({ editing }) => editing === id);
  const isEntry = useDocument(({ selected }) =>
    selected === null ? index === 0 : selected === id,
  );
  useEffect(() => {
    if (isEditing) return focusWithin(frame.current);
    // What was edited in place gives the focus back to its cell when it closes.
    if (isSelected && document.activeElement === document.body) frame.current?.focus();
    return undefined;
  }, [isEditing, isSelected]);
  return (
    <ExperimentContext value={experimentOf(cell)}>
      <fieldset
        ref={frame}
        id={`cell-${id}`}
        className={`cell cell-${kind}`}
        aria-label={cellLabel(cell)}
        data-width={kind === 'chart' ? cell.width : 'full'}
        data-selected={isSelected}
        data-stale={staleBecause !== undefined}
        {...focusable(isEntry)}
        {...handlers({ id, index, frame, isSelected, isEditing })}
      >
        <CellBar cell={cell} isSelected={isSelected} isEditing={isEditing} />
        {staleBecause !== undefined && <StaleMark causes={staleBecause} />}
        <CellBody cell={cell} isEditing={isEditing} />
      </fieldset>
    </ExperimentContext>
  );
});

/** Whoever begins to edit goes on in the first control, as soon as it is there; returns how to give up waiting. */
function focusWithin(cell: HTMLElement | null): () => void {
  const focusFirst = (): boolean => {
    const control = cell?.querySelector<HTMLElement>('textarea, select, input');
    control?.focus();
    return control !== null && control !== undefined;
  };
  const observer = new MutationObserver(() => {
    if (focusFirst()) observer.disconnect();
  });
  if (cell !== null && !focusFirst()) observer.observe(cell, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** The experiment that a cell speaks of; a text may speak of several. */
function experimentOf(cell: NotebookCell): string | null {
  if (cell.kind === 'text') return null;
  return cell.kind === 'experiment' ? cell.id : cell.experiment;
}

/** A cell takes the focus itself, so that keys can speak of it as a whole; one of them is a tab stop. */
function focusable(isEntry: boolean) {
  return { tabIndex: isEntry ? 0 : -1 };
}

interface FrameState {
  readonly id: string;
  readonly index: number;
  readonly frame: RefObject<HTMLElement | null>;
  readonly isSelected: boolean;
  readonly isEditing: boolean;
}

/** Whatever gets the focus inside a cell selects it; keys speak of the cell only while it has the focus itself. */
function handlers({ id, index, frame, isSelected, isEditing }: FrameState) {
  return {
    onFocus: ({ target }: FocusEvent) => {
      // Events of what is drawn elsewhere on the page bubble through here, too.
      if (!isSelected && frame.current?.contains(target))
        applyToDocument({ kind: 'selected', cell: id });
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape' && isEditing && !event.defaultPrevented) {
        applyToDocument({ kind: 'editingEnded' });
        frame.current?.focus();
        return;
      }
      if (event.target !== frame.current) return;
      const command = cellCommand(event);
      if (command === null) return;
      event.preventDefault();
      if (isStep(command)) goTo(placeAfter(command, index));
      else obey(command, id, index);
    },
  };
}

type Step = 'next' | 'previous' | 'first' | 'last';

function isStep(command: CellCommand): command is Step {
  return command === 'next' || command === 'previous' || command === 'first' || command === 'last';
}

function placeAfter(step: Step, index: number): number {
  if (step === 'first') return 0;
  if (step === 'last') return presentNotebook().cells.length - 1;
  return step === 'next' ? index + 1 : index - 1;
}

function goTo(place: number): void {
  const cell = presentNotebook().cells[place];
  if (cell !== undefined) focusCell(cell.id);
}

function obey(command: Exclude<CellCommand, Step>, id: string, index: number): void {
  switch (command) {
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
