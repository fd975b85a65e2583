import type { NotebookCell } from '../../notebook/cells';
import { Icon } from '../icons';
import { kindNames } from './cellText';
import { applyToDocument } from './documentStore';
import { focusCell } from './focusCell';
import { openPalette } from './palette';

interface CellBarProps {
  readonly cell: NotebookCell;
  readonly isSelected: boolean;
  readonly isEditing: boolean;
}

/** Kinds that are edited in place: an experiment is edited in the form, the others are chosen from where they are read. */
const editedInPlace: ReadonlySet<NotebookCell['kind']> = new Set([
  'text',
  'chart',
  'comparison',
  'claim',
]);

/** In the margin, where it covers nothing. Its buttons are tab stops only where the cell is selected. */
export function CellBar({ cell: { id, kind }, isSelected, isEditing }: CellBarProps) {
  const name = kindNames[kind].toLowerCase();
  const tabIndex = isSelected ? 0 : -1;
  const edit = isEditing ? `Done with the ${name}` : `Edit the ${name}`;
  return (
    <div className="cell-bar">
      <button
        type="button"
        className="cell-button"
        tabIndex={tabIndex}
        aria-label={`What to do with the ${name} cell`}
        title="Move, duplicate, delete, add"
        aria-haspopup="dialog"
        onClick={() => openPalette({ kind: 'cell', id })}
      >
        <Icon name="handle" />
      </button>
      {editedInPlace.has(kind) && (
        <button
          type="button"
          className="cell-button"
          tabIndex={tabIndex}
          aria-pressed={isEditing}
          aria-label={edit}
          title={edit}
          onClick={() => {
            applyToDocument(
              isEditing ? { kind: 'editingEnded' } : { kind: 'editingBegun', cell: id },
            );
            if (isEditing) focusCell(id);
          }}
        >
          <Icon name={isEditing ? 'check' : 'edit'} />
        </button>
      )}
    </div>
  );
}
