import type { TextCell } from '../../notebook/cells';
import { editCell } from './documentStore';

interface TextCellBodyProps {
  readonly cell: TextCell;
  readonly isEditing: boolean;
}

/** Markdown, read or written. */
export function TextCellBody({ cell, isEditing }: TextCellBodyProps) {
  if (!isEditing) return <p>{cell.source}</p>;
  return (
    <textarea
      aria-label="Text"
      value={cell.source}
      onChange={(event) => editCell({ ...cell, source: event.target.value }, 'source')}
    />
  );
}
