import { cellKinds } from '../../notebook/cells';
import { addableKinds } from '../../notebook/newCell';
import { Icon } from '../icons';
import { CellFrame } from './CellFrame';
import { kindNames, kindPurposes } from './cellText';
import { insertCell, useDocument, usePresent } from './documentStore';
import { useStaleCells } from './readRuns';

/** The notebook from its title to the place for the next cell. */
export function Cells() {
  const { cells, title } = usePresent();
  const stale = useStaleCells();
  return (
    <section className="cells" id="results" tabIndex={-1} aria-label="Notebook">
      {title !== '' && <h1 className="notebook-title">{title}</h1>}
      <div className="cell-grid">
        {cells.map((cell, index) => (
          <CellFrame key={cell.id} cell={cell} index={index} staleBecause={stale.get(cell.id)} />
        ))}
      </div>
      <EditRefusal />
      <AddCells />
    </section>
  );
}

/** One button a kind, at the end of the notebook. */
function AddCells() {
  const notebook = usePresent();
  const { cells } = notebook;
  const addable = addableKinds(notebook);
  return (
    <fieldset className="add-cells" aria-label="Add a cell at the end">
      {cells.length === 0 && (
        <p className="muted">
          An empty notebook. Begin with an experiment; texts, charts and claims then speak of its
          runs.
        </p>
      )}
      {cellKinds.map((kind) => (
        <button
          key={kind}
          type="button"
          className="add-cell"
          title={kindPurposes[kind]}
          disabled={!addable.includes(kind)}
          onClick={() => insertCell(kind, cells.length)}
        >
          <Icon name="add" />
          {kindNames[kind]}
        </button>
      ))}
    </fieldset>
  );
}

/** Why an edit was not made. Nothing of the notebook has changed. */
function EditRefusal() {
  const issues = useDocument((state) => state.issues);
  if (issues === null) return null;
  return (
    <div className="edit-refusal">
      {issues.map(({ path, message }) => (
        <p key={`${path} ${message}`}>
          <code>{path}</code> {message}
        </p>
      ))}
    </div>
  );
}
