import type { SpecIssue } from '../config/parseSpec';
import { presets } from '../config/presets';
import { AddArm } from './AddArm';
import { Icon } from './icons';
import { armSettings } from './settingText';
import type { Arm, OfferedArm } from './specState';
import { applyToSpec, useSpec } from './specStore';

const noIssues: readonly SpecIssue[] = [];

/** Which arms run, what each of them overrides, and a place to add one. */
export function ArmsEditor() {
  const offers = useSpec((state) => state.arms);
  const presetId = useSpec((state) => state.presetId);
  const issues = useSpec((state) => (state.parsed.ok ? noIssues : state.parsed.issues));
  const own = issues.filter(({ path }) => /^arms(\.|$)/.test(path));
  const presetArms = presets[presetId].spec.arms;
  return (
    <fieldset className="arms">
      <legend>
        <h2>Arms</h2>
      </legend>
      <p className="muted small">
        Variants that train side by side on the same tasks, initial weights and sampling noise.
      </p>
      <ul>
        {offers.map((offer) => (
          <ArmRow
            key={offer.arm.name}
            offer={offer}
            isOwn={!presetArms.some(({ name }) => name === offer.arm.name)}
          />
        ))}
      </ul>
      {own.length > 0 && (
        <p className="field-issue">
          {own.map(({ path, message }) => `${path}: ${message}`).join(' ')}
        </p>
      )}
      <AddArm />
    </fieldset>
  );
}

/** An arm of the preset can be switched off; one that was added can also be removed. */
function ArmRow({
  offer: { arm, isOn },
  isOwn,
}: {
  readonly offer: OfferedArm;
  readonly isOwn: boolean;
}) {
  return (
    <li className="arm">
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) =>
            applyToSpec({ kind: 'armSwitched', name: arm.name, isOn: event.target.checked })
          }
        />
        <span className="arm-text">
          <span className="arm-name">{arm.name}</span>
          <ArmSettings arm={arm} />
        </span>
      </label>
      {isOwn && (
        <button
          type="button"
          className="icon-button"
          aria-label={`Remove the arm ${arm.name}`}
          onClick={() => applyToSpec({ kind: 'armRemoved', name: arm.name })}
        >
          <Icon name="remove" />
        </button>
      )}
    </li>
  );
}

function ArmSettings({ arm }: { readonly arm: Arm }) {
  const offers = useSpec((state) => state.arms);
  const draft = useSpec((state) => state.draft);
  const arms = offers.map((offer) => offer.arm);
  return armSettings(arm, arms, draft).map(({ text, isOwn }) => (
    <span key={text} className="arm-line" data-own={isOwn}>
      {text}
    </span>
  ));
}
