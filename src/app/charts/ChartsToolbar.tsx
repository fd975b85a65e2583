import { Choice, type ChoiceOption } from '../Choice';
import {
  seedsShownNames,
  seedsShownOptions,
  xAxes,
  xAxisNames,
  type SharedSettings,
} from './chartView';
import { Smoothing } from './Smoothing';

interface ChartsToolbarProps {
  /** What all charts have in common; null where they differ. */
  readonly common: { readonly [K in keyof SharedSettings]: SharedSettings[K] | null };
  readonly onChange: (change: Partial<SharedSettings>) => void;
}

/** An option of a select has a text only; this one stands for charts that differ. */
const mixed = '';

function withMixed<T extends string>(
  isMixed: boolean,
  options: readonly ChoiceOption<T>[],
): readonly ChoiceOption<T | typeof mixed>[] {
  return isMixed ? [[mixed, 'mixed'], ...options] : options;
}

/** What holds for all charts at once. */
export function ChartsToolbar({ common, onChange }: ChartsToolbarProps) {
  const { smoothing, seedsShown, xAxis } = common;
  return (
    <fieldset className="charts-toolbar" aria-label="All charts">
      <Smoothing value={smoothing} onChange={(next) => onChange({ smoothing: next })} />
      <Choice
        className="view-control"
        label="Seeds"
        value={seedsShown ?? mixed}
        options={withMixed(
          seedsShown === null,
          seedsShownOptions.map((option) => [option, seedsShownNames[option]] as const),
        )}
        onChoose={(next) => {
          if (next !== mixed) onChange({ seedsShown: next });
        }}
      />
      <Choice
        className="view-control"
        label="Over"
        value={xAxis ?? mixed}
        options={withMixed(
          xAxis === null,
          xAxes.map((option) => [option, xAxisNames[option]] as const),
        )}
        onChoose={(next) => {
          if (next !== mixed) onChange({ xAxis: next });
        }}
      />
    </fieldset>
  );
}
