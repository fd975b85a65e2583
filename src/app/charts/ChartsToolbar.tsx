import { Choice, type ChoiceOption } from '../Choice';
import { bandNames, bands, linesSentence, type ChartBand, type ChartSettings } from './chartView';
import { commonValue } from './commonValue';
import { areOfTeam } from './metricTexts';
import { Smoothing } from './Smoothing';
import { xChoices, xKey, xOptionText } from './xAxis';

/** What one stroke can change in all charts. */
type CommonSettings = Pick<ChartSettings, 'smoothing' | 'band' | 'x'>;

interface ChartsToolbarProps {
  /** Of all charts. */
  readonly settings: readonly ChartSettings[];
  readonly onChangeAll: (change: Partial<CommonSettings>) => void;
}

/** Stands where the charts differ; choosing it changes nothing. */
const mixed = 'mixed';

function withMixed<T extends string>(
  value: T | null,
  options: readonly ChoiceOption<T>[],
): readonly ChoiceOption<T | typeof mixed>[] {
  return value === null ? [[mixed, mixed], ...options] : options;
}

/** What all charts have in common, and one place to change it. */
export function ChartsToolbar({ settings, onChangeAll }: ChartsToolbarProps) {
  const band = commonValue(settings.map((chart) => chart.band));
  const smoothing = commonValue(settings.map((chart) => chart.smoothing));
  return (
    <fieldset className="charts-toolbar" aria-label="All charts">
      <Smoothing value={smoothing} onChange={(next) => onChangeAll({ smoothing: next })} />
      <Choice<ChartBand | typeof mixed>
        className="view-control"
        label="Seeds"
        value={band ?? mixed}
        options={withMixed(
          band,
          bands.map((option) => [option, bandNames[option]]),
        )}
        onChoose={(next) => {
          if (next !== mixed) onChangeAll({ band: next });
        }}
      />
      <CommonX settings={settings} onChangeAll={onChangeAll} />
      <p className="muted">
        {band === null ? 'Bands differ from chart to chart.' : linesSentence(band)}
      </p>
    </fieldset>
  );
}

function CommonX({ settings, onChangeAll }: ChartsToolbarProps) {
  const x = commonValue(settings.map((chart) => chart.x));
  // Only what every chart has a place for.
  const choices = xChoices(settings.some(({ metrics }) => areOfTeam(metrics)));
  const key = x === null ? null : xKey(x);
  return (
    <Choice<string>
      className="view-control"
      label="Over"
      value={key ?? mixed}
      options={withMixed(
        key,
        choices.map((choice) => [xKey(choice), xOptionText(choice)]),
      )}
      onChoose={(next) => {
        const chosen = choices.find((choice) => xKey(choice) === next);
        if (chosen) onChangeAll({ x: chosen });
      }}
    />
  );
}
