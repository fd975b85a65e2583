import type { SpecIssue } from '../config/parseSpec';
import { presets } from '../config/presets';
import { AddArm } from './AddArm';
import { AddRecipeArm } from './AddRecipeArm';
import { Icon } from './icons';
import { armSettings } from './armSettings';
import { armIssueText } from './settingText';
import type { Arm, OfferedArm } from './specState';
import { applyToSpec, useSpec } from './specStore';

const noIssues: readonly SpecIssue[] = [];

/** Which arms run, what each of them overrides, and a place to add one. */
export function ArmsEditor() {
  const offers = useSpec((state) => state.arms);
  const presetId = useSpec((state) => state.presetId);
  const issues = useSpec((state) => (state.parsed.ok ? noIssues : state.parsed.issues));
  const presetArms = presets[presetId].spec.arms;
  const running = offers.filter(({ isOn }) => isOn);
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
            issues={issuesOf(issues, running.indexOf(offer))}
          />
        ))}
      </ul>
      {issues
        .filter(({ path }) => path === 'arms')
        .map(({ message }) => (
          <p key={message} className="field-issue">
            {message}
          </p>
        ))}
      <AddRecipeArm />
      <AddArm />
    </fieldset>
  );
}

/** What is wrong with one of the arms that run, in the words of the form. */
function issuesOf(issues: readonly SpecIssue[], index: number): readonly string[] {
  const own = `arms.${index}`;
  return issues.filter(({ path }) => path === own || path.startsWith(`${own}.`)).map(armIssueText);
}

/** An arm of the preset can be switched off; one that was added can also be removed. */
function ArmRow({
  offer: { arm, isOn },
  isOwn,
  issues,
}: {
  readonly offer: OfferedArm;
  readonly isOwn: boolean;
  readonly issues: readonly string[];
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
          {issues.map((issue) => (
            <span key={issue} className="arm-issue">
              {issue}
            </span>
          ))}
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
