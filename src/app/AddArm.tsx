import { useId, useState } from 'react';
import type { OverrideValue } from '../config/experimentSpec';
import { editablePaths, valueAt, type FormField } from '../config/formFields';
import { reasonAgainst } from './armReason';
import { FieldControl } from './FieldControl';
import { Icon } from './icons';
import { settingName } from './settingText';
import type { Arm } from './specState';
import { applyToSpec, useSpec } from './specStore';

const nothing: Arm = { name: '', overrides: {} };

/** A closed drawer with the form for one more arm. */
export function AddArm() {
  const id = useId();
  const draft = useSpec((state) => state.draft);
  const offers = useSpec((state) => state.arms);
  const [arm, setArm] = useState(nothing);
  const reason = reasonAgainst(
    arm,
    draft,
    offers.map((offer) => offer.arm.name),
  );
  const setOverrides = (overrides: Arm['overrides']): void => setArm({ ...arm, overrides });
  return (
    <details className="drawer">
      <summary>Add an arm</summary>
      <label className="stacked" htmlFor={`${id}-name`}>
        Name
        <input
          id={`${id}-name`}
          type="text"
          value={arm.name}
          maxLength={32}
          autoComplete="off"
          placeholder="bigGroups"
          onChange={(event) => setArm({ ...arm, name: event.target.value })}
        />
      </label>
      <Overrides arm={arm} draft={draft} onOverrides={setOverrides} />
      {reason !== null && (
        <p id={`${id}-reason`} className="muted small">
          {reason}
        </p>
      )}
      <button
        type="button"
        disabled={reason !== null}
        aria-describedby={`${id}-reason`}
        onClick={() => {
          applyToSpec({ kind: 'armAdded', arm });
          setArm(nothing);
        }}
      >
        <Icon name="add" />
        Add arm
      </button>
    </details>
  );
}

interface OverridesProps {
  readonly arm: Arm;
  readonly draft: object;
  readonly onOverrides: (overrides: Arm['overrides']) => void;
}

function Overrides({ arm, draft, onOverrides }: OverridesProps) {
  const id = useId();
  const formFields = overridable(draft);
  const chosen = formFields.filter(({ path }) => Object.hasOwn(arm.overrides, path));
  return (
    <>
      {chosen.map((formField) => (
        <div className="override" key={formField.path}>
          <label htmlFor={`${id}-${formField.path}`}>{settingName(formField.path)}</label>
          <FieldControl
            id={`${id}-${formField.path}`}
            formField={formField}
            value={arm.overrides[formField.path]}
            describedBy=""
            isInvalid={false}
            onValue={(value) => onOverrides({ ...arm.overrides, [formField.path]: value })}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={`Do not override ${settingName(formField.path)}`}
            onClick={() => onOverrides(without(arm.overrides, formField.path))}
          >
            <Icon name="remove" />
          </button>
        </div>
      ))}
      <label className="stacked" htmlFor={`${id}-path`}>
        Override
        <select
          id={`${id}-path`}
          value=""
          onChange={(event) => {
            const path = event.target.value;
            onOverrides({ ...arm.overrides, [path]: toOverride(valueAt(draft, path)) });
          }}
        >
          <option value="">choose a setting</option>
          {formFields
            .filter(({ path }) => !chosen.some((formField) => formField.path === path))
            .map(({ path, section }) => (
              <option key={path} value={path}>
                {section}: {settingName(path)}
              </option>
            ))}
        </select>
      </label>
    </>
  );
}

/** An arm describes one training; the length of the run, its evaluation and its backend are the same for all. */
function overridable(draft: object): readonly FormField[] {
  return editablePaths(draft).filter(({ section }) => section !== 'Run');
}

function without(overrides: Arm['overrides'], path: string): Arm['overrides'] {
  return Object.fromEntries(Object.entries(overrides).filter(([key]) => key !== path));
}

function toOverride(value: unknown): OverrideValue {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'
    ? value
    : null;
}
