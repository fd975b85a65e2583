import type { TextCell } from '../../notebook/cells';
import { TextEditor } from '../text/TextEditor';
import { TextView } from '../text/TextView';
import { applyToDocument, editCell, usePresent } from './documentStore';
import { focusCell } from './focusCell';
import { useLiveSource } from './readRuns';

interface TextCellBodyProps {
  readonly cell: TextCell;
  readonly isEditing: boolean;
}

/** Markdown: as it is read, and over it its source while it is written. */
export function TextCellBody({ cell, isEditing }: TextCellBodyProps) {
  const live = useLiveSource();
  const view = <TextView source={cell.source} live={live} />;
  if (isEditing)
    return (
      <>
        <Editor cell={cell} />
        {view}
      </>
    );
  return cell.source.trim() === '' ? <p className="muted">An empty text. Enter begins.</p> : view;
}

function Editor({ cell }: { readonly cell: TextCell }) {
  const notebook = usePresent();
  return (
    <TextEditor
      source={cell.source}
      notebook={notebook}
      onChange={(source) => editCell({ ...cell, source }, 'source')}
      onLeave={() => {
        applyToDocument({ kind: 'editingEnded' });
        focusCell(cell.id);
      }}
    />
  );
}
