import { useState, type ComponentProps } from 'react';

interface NumberInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> {
  /** NaN is shown as an empty control. */
  readonly value: number;
  /** NaN while the text is no number. */
  readonly onValue: (value: number) => void;
}

/**
 * A native number control that keeps what is being typed (`1e-`, `0.`, nothing) and reports the number it means,
 * so that the form can say what is wrong instead of changing the text under the cursor.
 */
export function NumberInput({ value, onValue, ...input }: NumberInputProps) {
  const [text, setText] = useState(textOf(value));
  // A value from outside (a preset, a reset, a link) replaces the text; the number just typed does not.
  if (!Object.is(numberOf(text), value)) setText(textOf(value));
  return (
    <input
      {...input}
      type="number"
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        onValue(numberOf(event.target.value));
      }}
    />
  );
}

function textOf(value: number): string {
  return Number.isNaN(value) ? '' : String(value);
}

function numberOf(text: string): number {
  return text.trim() === '' ? NaN : Number(text);
}
