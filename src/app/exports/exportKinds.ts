/** What a run can leave the page as. Names, for the menu; how, is in `saveRun`, which is loaded when one is chosen. */

const numbers = [
  { kind: 'csvLong', label: 'Metrics, CSV', note: 'A value a line, every logged point' },
  { kind: 'csvWide', label: 'Metrics, wide CSV', note: 'A column a metric' },
  { kind: 'parquet', label: 'Metrics, Parquet', note: 'For pandas, DuckDB, Polars' },
  { kind: 'csvVerl', label: 'Metrics, names of verl', note: 'Others as marlbook/…' },
  { kind: 'csvTrl', label: 'Metrics, names of TRL', note: 'Others as marlbook/…' },
  { kind: 'summary', label: 'Summary, JSON', note: 'Ends, peaks, throughput, device' },
] as const;

const episodes = [
  { kind: 'episodes', label: 'Episodes, JSON Lines', note: 'The kept sample, token by token' },
  { kind: 'adp', label: 'Episodes, ADP 1.2.0', note: 'Agent Data Protocol, one line an agent' },
] as const;

const whole = [
  {
    kind: 'archive',
    label: 'Archive, ZIP',
    note: 'Notebook, numbers, episodes; opens here again',
  },
  { kind: 'drMas', label: 'Command for Dr. MAS', note: 'langfengQ/DrMAS on verl' },
] as const;

export type ExportKind = (typeof numbers | typeof episodes | typeof whole)[number]['kind'];

interface ExportGroup {
  readonly heading: string;
  readonly kinds: readonly {
    readonly kind: ExportKind;
    readonly label: string;
    readonly note: string;
  }[];
}

export const exportGroups: readonly ExportGroup[] = [
  { heading: 'Numbers', kinds: numbers },
  { heading: 'Episodes', kinds: episodes },
  { heading: 'The experiment', kinds: whole },
];

/** A recording is of a run that is over. */
export function needsEnd(kind: ExportKind): boolean {
  return kind === 'archive';
}
