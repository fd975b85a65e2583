import { cellTitle, kindNames } from './cellText';
import { useDocument, usePresent } from './documentStore';
import { focusCell } from './focusCell';
import { useStaleCells } from './staleness';

/** The cells of the notebook in one list: where one is, and a way to go elsewhere. */
export function Outline() {
  const { cells } = usePresent();
  const selected = useDocument((state) => state.selected);
  const stale = useStaleCells();
  return (
    <nav className="outline" aria-label="Cells of the notebook">
      <ol>
        {cells.map((cell) => (
          <li key={cell.id}>
            <button
              type="button"
              className="outline-entry"
              aria-current={cell.id === selected}
              onClick={() => focusCell(cell.id)}
            >
              <span className="outline-kind muted">{kindNames[cell.kind]}</span>
              <span>{cellTitle(cell)}</span>
              {stale.has(cell.id) && <span className="outline-stale">stale</span>}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
