import type { NotebookCell } from '../../notebook/cells';
import { Icon } from '../icons';
import { kindNames } from './cellText';
import { applyToDocument, copyCell, removeCell, shiftCell } from './documentStore';
import { focusCell } from './focusCell';
import { openPalette } from './palette';

interface CellBarProps {
  readonly cell: NotebookCell;
  readonly index: number;
  readonly isSelected: boolean;
  readonly isEditing: boolean;
}

/** Kinds that are edited in place; an experiment is edited in the form. */
const editedInPlace: ReadonlySet<NotebookCell['kind']> = new Set([
  'text',
  'comparison',
  'microscope',
  'rollouts',
  'claim',
]);

/** What can be done with a cell as a whole. Its buttons are tab stops only where the cell is selected. */
export function CellBar({ cell: { id, kind }, index, isSelected, isEditing }: CellBarProps) {
  const name = kindNames[kind].toLowerCase();
  const buttons = [
    { icon: 'up', label: 'Move up', press: () => shiftCell(id, -1) },
    { icon: 'down', label: 'Move down', press: () => shiftCell(id, 1) },
    { icon: 'copy', label: 'Duplicate', press: () => copyCell(id) },
    { icon: 'add', label: 'Add below', press: () => openPalette({ kind: 'add', at: index + 1 }) },
    { icon: 'remove', label: 'Delete', press: () => removeCell(id) },
  ] as const;
  return (
    <div className="cell-bar" role="toolbar" aria-label={`This ${name} cell`}>
      <span className="cell-kind muted">{kindNames[kind]}</span>
      {editedInPlace.has(kind) && (
        <button
          type="button"
          className="cell-button"
          tabIndex={isSelected ? 0 : -1}
          aria-pressed={isEditing}
          onClick={() => {
            applyToDocument(
              isEditing ? { kind: 'editingEnded' } : { kind: 'editingBegun', cell: id },
            );
            if (isEditing) focusCell(id);
          }}
        >
          {isEditing ? 'Done' : 'Edit'}
        </button>
      )}
      {buttons.map(({ icon, label, press }) => (
        <button
          key={icon}
          type="button"
          className="cell-button"
          tabIndex={isSelected ? 0 : -1}
          aria-label={label}
          title={label}
          onClick={press}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}
