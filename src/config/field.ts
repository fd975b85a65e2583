/** What a row of the field table can be. */

interface FieldText {
  /** What the form prints before the control. */
  readonly label: string;
  /** One or two sentences: what it does, and what other libraries choose. */
  readonly help: string;
  /** Printed after the number. Absent for pure numbers and choices. */
  readonly unit?: string;
}

export interface NumberField extends FieldText {
  readonly kind: 'integer' | 'real';
  readonly min: number;
  readonly max: number;
  /** Step of the control, not a constraint. */
  readonly step: number;
  /** What `null` means, where `null` is allowed. */
  readonly nullLabel?: string;
}

/** What an option computes and where that stands. One that is no formula says in its note what it does. */
type OptionDetails =
  | { readonly formula: string; readonly source: string; readonly note?: string }
  | { readonly formula: null; readonly source: string; readonly note: string };

/** The details of the options of each choice, by path and value. */
export type DetailsTable = Readonly<Record<string, Readonly<Record<string, OptionDetails>>>>;

export interface ChoiceField extends FieldText {
  readonly kind: 'choice';
  /** value → what the form prints for it. */
  readonly options: Readonly<Record<string, string>>;
}

interface FlagField extends FieldText {
  readonly kind: 'flag';
}

export type Field = NumberField | ChoiceField | FlagField;
