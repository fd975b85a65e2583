import type { ChoiceField, NumberField } from '../config/field';
import type { FormField } from '../config/formFields';
import type { OverrideValue } from '../config/experimentSpec';
import { NumberInput } from './NumberInput';

interface FieldControlProps {
  readonly id: string;
  readonly formField: FormField;
  readonly value: unknown;
  /** Ids of the help text and, where there is one, of the reason why the value is refused. */
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly onValue: (value: OverrideValue) => void;
}

/** The native control for one row of the field table. */
export function FieldControl(props: FieldControlProps) {
  const { field } = props.formField;
  switch (field.kind) {
    case 'flag':
      return <FlagControl {...props} />;
    case 'choice':
      return <ChoiceControl {...props} field={field} />;
    case 'integer':
    case 'real':
      return field.nullLabel === undefined ? (
        <NumberControl {...props} field={field} />
      ) : (
        <NullableControl {...props} field={field} nullLabel={field.nullLabel} />
      );
  }
}

function FlagControl({ id, value, describedBy, onValue }: FieldControlProps) {
  return (
    <input
      id={id}
      type="checkbox"
      checked={value === true}
      aria-describedby={describedBy}
      onChange={(event) => onValue(event.target.checked)}
    />
  );
}

function ChoiceControl({
  id,
  value,
  field,
  describedBy,
  isInvalid,
  onValue,
}: FieldControlProps & { readonly field: ChoiceField }) {
  return (
    <select
      id={id}
      value={String(value)}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      onChange={(event) => {
        const chosen = event.target.value;
        onValue(typeof value === 'number' ? Number(chosen) : chosen);
      }}
    >
      {Object.entries(field.options).map(([option, label]) => (
        <option key={option} value={option}>
          {label}
        </option>
      ))}
    </select>
  );
}

function NumberControl({
  id,
  value,
  field,
  describedBy,
  isInvalid,
  onValue,
}: FieldControlProps & { readonly field: NumberField }) {
  return (
    <NumberInput
      id={id}
      value={typeof value === 'number' ? value : NaN}
      // No min and max: with them the arrows would step from the minimum (1, 11, 21) and typing would be judged twice.
      step={field.step}
      inputMode={field.kind === 'integer' ? 'numeric' : 'decimal'}
      disabled={value === null}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      onValue={onValue}
    />
  );
}

/** A number that can be switched off; switching it on again starts at 1 or at the nearest allowed number. */
function NullableControl(
  props: FieldControlProps & { readonly field: NumberField; readonly nullLabel: string },
) {
  const { id, value, field, nullLabel, onValue } = props;
  const first = Math.min(field.max, Math.max(field.min, 1));
  return (
    <span className="nullable">
      <NumberControl {...props} />
      <label className="null-choice">
        <input
          id={`${id}-null`}
          type="checkbox"
          checked={value === null}
          onChange={(event) => onValue(event.target.checked ? null : first)}
        />
        {nullLabel}
      </label>
    </span>
  );
}
