import { Choice } from '../Choice';
import { seedsShownNames, seedsShownOptions, xAxes, xAxisNames } from './chartView';
import { changeSharedView, useSharedView } from './sharedView';
import { Smoothing } from './Smoothing';

/** What holds for all charts at once. */
export function ChartsToolbar() {
  const { smoothing, seedsShown, xAxis } = useSharedView();
  return (
    <fieldset className="charts-toolbar" aria-label="All charts">
      <Smoothing value={smoothing} onChange={(next) => changeSharedView({ smoothing: next })} />
      <Choice
        className="view-control"
        label="Seeds"
        value={seedsShown}
        options={seedsShownOptions.map((option) => [option, seedsShownNames[option]])}
        onChoose={(next) => changeSharedView({ seedsShown: next })}
      />
      <Choice
        className="view-control"
        label="Over"
        value={xAxis}
        options={xAxes.map((option) => [option, xAxisNames[option]])}
        onChoose={(next) => changeSharedView({ xAxis: next })}
      />
    </fieldset>
  );
}
