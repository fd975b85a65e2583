import { useId } from 'react';
import { valueAt } from '../config/formFields';
import { presets } from '../config/presets';
import { ArmsEditor } from './ArmsEditor';
import { FieldForm } from './FieldForm';
import { RecipePicker } from './RecipePicker';
import { differenceText } from './settingText';
import { SeedsEditor } from './SeedsEditor';
import { PlannedChanges } from './steering/PlannedChanges';
import { draftDifferences, isPresetId } from './specState';
import { applyToSpec, useSpec } from './specStore';

/** The cause: which preset, which arms, which seeds, and every setting under them. */
export function ConfigPanel() {
  return (
    <form
      className="config-form"
      aria-label="Configuration"
      noValidate
      onSubmit={(event) => event.preventDefault()}
    >
      <PresetPicker />
      <ArmsEditor />
      <SeedsEditor />
      <PlannedChanges />
      <h2 className="config-heading">Settings</h2>
      <TitleEditor />
      <RecipePicker group="method" label="Method" />
      <FieldForm />
    </form>
  );
}

function PresetPicker() {
  const presetId = useSpec((state) => state.presetId);
  return (
    <fieldset className="presets">
      <legend>
        <h2>Preset</h2>
      </legend>
      {Object.entries(presets).map(([id, { label }]) => (
        <label key={id} className="preset">
          <input
            type="radio"
            name="preset"
            value={id}
            checked={id === presetId}
            onChange={() => {
              if (isPresetId(id)) applyToSpec({ kind: 'presetChosen', presetId: id });
            }}
          />
          {label}
        </label>
      ))}
      <DifferenceCount />
    </fieldset>
  );
}

/** The experiment’s own name; links and files carry it. */
function TitleEditor() {
  const id = useId();
  const title = useSpec((state) => String(valueAt(state.draft, 'title')));
  return (
    <div className="field field-text">
      <label className="field-label" htmlFor={id}>
        Title
      </label>
      <input
        id={id}
        type="text"
        value={title}
        maxLength={120}
        autoComplete="off"
        onChange={(event) =>
          applyToSpec({ kind: 'valueSet', path: 'title', value: event.target.value })
        }
      />
    </div>
  );
}

/** How far the form is from its preset, with the list one click away. */
function DifferenceCount() {
  const draft = useSpec((state) => state.draft);
  const presetId = useSpec((state) => state.presetId);
  const differences = draftDifferences(draft, presets[presetId].spec);
  if (differences.length === 0)
    return <p className="difference-count muted small">As the preset.</p>;
  return (
    <details className="difference-count small">
      <summary>
        {differences.length === 1 ? '1 difference' : `${differences.length} differences`} to the
        preset
      </summary>
      <ul>
        {differences.map((difference) => (
          <li key={difference.path}>{differenceText(difference)}</li>
        ))}
      </ul>
      <button type="button" onClick={() => applyToSpec({ kind: 'presetChosen', presetId })}>
        Reset all to the preset
      </button>
    </details>
  );
}
