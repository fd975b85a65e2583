import { lazy, useId } from 'react';
import type { SpecIssue } from '../config/parseSpec';
import { methodChoiceOf } from '../config/fields';
import type { FormField } from '../config/formFields';
import type { OverrideValue } from '../config/experimentSpec';
import { ChoiceDetails } from './ChoiceDetails';
import { FieldControl } from './FieldControl';
import { HelpButton } from './HelpButton';
import { Icon } from './icons';
import { issueText, settingValue } from './settingText';

const EffectNow = lazy(async () => ({ default: (await import('./explain/EffectNow')).EffectNow }));

interface FieldRowProps {
  readonly formField: FormField;
  readonly value: unknown;
  /** The preset’s value; undefined where the preset has no such setting, and then there is nothing to go back to. */
  readonly presetValue: unknown;
  readonly issue: SpecIssue | undefined;
  readonly onValue: (path: string, value: OverrideValue) => void;
}

/** One setting: label, control, unit, help, the way back to the preset and, if refused, the reason beside it. */
export function FieldRow({ formField, value, presetValue, issue, onValue }: FieldRowProps) {
  const id = useId();
  const { field, path } = formField;
  const isChanged = presetValue !== undefined && !Object.is(presetValue, value);
  const range = rangeText(formField);
  const choice = methodChoiceOf(path);
  return (
    <div className="field" data-changed={isChanged} data-path={path}>
      <label className="field-label" htmlFor={id}>
        {field.label}
      </label>
      <span className="field-control">
        <FieldControl
          id={id}
          formField={formField}
          value={value}
          describedBy={`${id}-note`}
          isInvalid={issue !== undefined}
          onValue={(next) => onValue(path, next)}
        />
        <span className="field-unit">{'unit' in field ? field.unit : ''}</span>
      </span>
      <HelpButton
        subject={field.label}
        text={range === '' ? field.help : `${field.help} ${range}`}
        now={<EffectNow path={path} />}
      >
        {field.kind === 'choice' && choice !== undefined ? (
          <ChoiceDetails choice={choice} field={field} value={String(value)} />
        ) : undefined}
      </HelpButton>
      {isChanged && isOverrideValue(presetValue) ? (
        <button
          type="button"
          className="icon-button"
          aria-label={`Reset ${field.label} to ${settingValue(path, presetValue)}`}
          title={`Preset: ${settingValue(path, presetValue)}`}
          onClick={() => onValue(path, presetValue)}
        >
          <Icon name="undo" />
        </button>
      ) : (
        <span className="icon-space" />
      )}
      <p id={`${id}-note`} className={issue ? 'field-issue' : 'visually-hidden'}>
        {issue ? issueText(issue.message) : range}
      </p>
    </div>
  );
}

/** `Range: 1 to 1024 rollouts.` Empty for choices. */
function rangeText({ field }: FormField): string {
  if (field.kind !== 'integer' && field.kind !== 'real') return '';
  const unit = field.unit === undefined ? '' : ` ${field.unit}`;
  return `Range: ${field.min} to ${field.max}${unit}.`;
}

function isOverrideValue(value: unknown): value is OverrideValue {
  return value === null || ['number', 'string', 'boolean'].includes(typeof value);
}
