import { useId } from 'react';
import { maxTitleLength } from '../../notebook/notebook';
import { cellTitle, kindNames } from './cellText';
import { keyHelp } from './cellKeys';
import { applyToDocument, editTitle, useDocument, usePresent } from './documentStore';
import { focusCell } from './focusCell';
import { GalleryList } from './GalleryList';
import { useStaleCells } from './readRuns';

/** What is in the notebook, and how to get about in it. */
export function Outline() {
  return (
    <>
      <TitleField />
      <CellList />
      <GalleryList />
      <Keys />
    </>
  );
}

/** The notebook’s own name; without one it is called as its first experiment. */
function TitleField() {
  const id = useId();
  const { title } = usePresent();
  return (
    <div className="field field-text">
      <label className="field-label" htmlFor={id}>
        Notebook
      </label>
      <input
        id={id}
        type="text"
        value={title}
        maxLength={maxTitleLength}
        autoComplete="off"
        placeholder="as its first experiment"
        onChange={(event) => editTitle(event.target.value)}
        onBlur={() => applyToDocument({ kind: 'stepClosed' })}
      />
    </div>
  );
}

/** The cells in one list: where one is, and a way to go elsewhere. */
function CellList() {
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

function Keys() {
  return (
    <details className="drawer">
      <summary>Keys</summary>
      <dl className="key-help">
        {keyHelp.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
