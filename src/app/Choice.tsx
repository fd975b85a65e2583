import { useId } from 'react';

/** Value and text. */
export type ChoiceOption<T extends string> = readonly [value: T, text: string];

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  /** In the order in which they are listed. */
  readonly options: readonly ChoiceOption<T>[];
  readonly onChoose: (value: T) => void;
  /** Of label and control together. */
  readonly className: string;
}

/** One of a few, by its label. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label, value, options, onChoose, className } = props;
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => {
          const chosen = options.find(([option]) => option === target.value);
          if (chosen) onChoose(chosen[0]);
        }}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Options that are called what they are. */
export function namedAsIs(values: readonly string[]): readonly ChoiceOption<string>[] {
  return values.map((value) => [value, value]);
}
