import { useId, useState } from 'react';
import { NumberInput } from '../NumberInput';

interface ConstantInputProps {
  readonly value: number;
  /** Gets finite numbers only. */
  readonly onChange: (value: number) => void;
}

/** A number; what is no number (yet) stays in the control and goes nowhere. */
export function ConstantInput({ value, onChange }: ConstantInputProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  const isValid = Number.isFinite(typed);
  return (
    <div className="claim-choice">
      <label htmlFor={id}>Constant</label>
      <NumberInput
        id={id}
        step="any"
        value={typed}
        aria-invalid={!isValid}
        aria-describedby={isValid ? undefined : `${id}-issue`}
        onValue={(next) => {
          setTyped(next);
          if (Number.isFinite(next)) onChange(next);
        }}
      />
      {!isValid && (
        <p id={`${id}-issue`} className="claim-issue">
          Expected a number; {value} stays until one is there.
        </p>
      )}
    </div>
  );
}
