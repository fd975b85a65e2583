import { seedsShownNames, xAxisNames } from './chartView';
import { changeSharedView, useSharedView } from './sharedView';
import { Choice, Smoothing } from './ViewControls';

/** What holds for all charts at once. */
export function ChartsToolbar() {
  const { smoothing, seedsShown, xAxis } = useSharedView();
  return (
    <fieldset className="charts-toolbar" aria-label="All charts">
      <Smoothing value={smoothing} onChange={(next) => changeSharedView({ smoothing: next })} />
      <Choice
        label="Seeds"
        value={seedsShown}
        names={seedsShownNames}
        onChange={(next) => changeSharedView({ seedsShown: next })}
      />
      <Choice
        label="Over"
        value={xAxis}
        names={xAxisNames}
        onChange={(next) => changeSharedView({ xAxis: next })}
      />
    </fieldset>
  );
}
