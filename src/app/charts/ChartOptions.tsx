import { useId } from 'react';
import { Choice, namedAsIs } from '../Choice';
import { SaveFigureButtons } from '../exports/SaveFigureButtons';
import { heightLimits, namedHeights, shownAgents, toggleAgent } from './chartChoices';
import { ChartMenu } from './ChartMenu';
import { ChartRange } from './ChartRange';
import { bandNames, bands, scales, type ChartSettings, type ChartView } from './chartView';
import { MetricPicker } from './MetricPicker';
import { areOfTeam } from './metricTexts';
import { NumberInput } from '../NumberInput';
import { Smoothing } from './Smoothing';
import { xChoices, xKey, xOptionText } from './xAxis';

/** No arm is called so. */
const none = '';

interface ChangeProps {
  readonly settings: ChartSettings;
  readonly onChange: (change: Partial<ChartSettings>) => void;
}

interface ChartOptionsProps extends ChangeProps {
  readonly title: string;
  readonly arms: readonly string[];
  /** All agents of the experiment. */
  readonly agents: readonly string[];
  readonly zoom: ChartView['zoom'];
  readonly onZoom: (zoom: ChartView['zoom']) => void;
  readonly hasWords: boolean;
  readonly onWords: (hasWords: boolean) => void;
  readonly onFullScreen: () => void;
}

/** Settings of one chart. */
export function ChartOptions(props: ChartOptionsProps) {
  const { title, settings, agents, onChange } = props;
  const isOfTeam = areOfTeam(settings.metrics);
  return (
    <fieldset className="chart-options" aria-label={`View of ${title}`}>
      <MetricPicker
        metrics={settings.metrics}
        onChange={(metrics) => onChange({ metrics, ...withPlace(settings, metrics) })}
      />
      {!isOfTeam && agents.length > 1 && (
        <AgentPicker settings={settings} onChange={onChange} all={agents} />
      )}
      <AxisOptions settings={settings} onChange={onChange} isOfTeam={isOfTeam} />
      <LineOptions settings={settings} onChange={onChange} arms={props.arms} />
      <ChartRange x={settings.x} zoom={props.zoom} onZoom={props.onZoom} />
      <SizeOptions settings={settings} onChange={onChange} />
      <Check label="In words" isChecked={props.hasWords} onChange={props.onWords} />
      <button type="button" className="chart-button" onClick={props.onFullScreen}>
        Full screen
      </button>
      <SaveFigureButtons />
    </fieldset>
  );
}

/** Over iterations, where the metrics just chosen have no place on the axis. */
function withPlace(
  { x }: ChartSettings,
  metrics: ChartSettings['metrics'],
): Partial<ChartSettings> {
  const hasPlace = xChoices(areOfTeam(metrics)).some((choice) => xKey(choice) === xKey(x));
  return hasPlace ? {} : { x: { kind: 'iteration' } };
}

function AgentPicker({
  settings,
  onChange,
  all,
}: ChangeProps & { readonly all: readonly string[] }) {
  const shown = shownAgents(settings.agents, all);
  const count = settings.agents === 'all' ? 'all' : String(shown.length);
  return (
    <ChartMenu label={`Agents: ${count}`}>
      {all.map((agent) => (
        <Check
          key={agent}
          label={agent}
          isChecked={shown.includes(agent)}
          onChange={() => onChange({ agents: toggleAgent(settings.agents, all, agent) })}
        />
      ))}
    </ChartMenu>
  );
}

function AxisOptions({
  settings,
  onChange,
  isOfTeam,
}: ChangeProps & { readonly isOfTeam: boolean }) {
  const choices = xChoices(isOfTeam);
  return (
    <>
      <Choice
        className="view-control"
        label="Over"
        value={xKey(settings.x)}
        options={choices.map((choice) => [xKey(choice), xOptionText(choice)])}
        onChoose={(key) => {
          const x = choices.find((choice) => xKey(choice) === key);
          if (x) onChange({ x });
        }}
      />
      <Choice
        className="view-control"
        label="Y axis"
        value={settings.yScale}
        options={scales.map((scale) => [scale, scale])}
        onChoose={(yScale) => onChange({ yScale })}
      />
      <Check
        label="Clip the axis to the middle 90 %"
        isChecked={settings.hasOutlierClip}
        onChange={(hasOutlierClip) => onChange({ hasOutlierClip })}
      />
    </>
  );
}

function LineOptions({
  settings,
  onChange,
  arms,
}: ChangeProps & { readonly arms: readonly string[] }) {
  const { pairedBaseline } = settings;
  const isThere = pairedBaseline !== null && arms.includes(pairedBaseline);
  return (
    <>
      <Smoothing value={settings.smoothing} onChange={(smoothing) => onChange({ smoothing })} />
      <Choice
        className="view-control"
        label="Seeds"
        value={settings.band}
        options={bands.map((band) => [band, bandNames[band]])}
        onChoose={(band) => onChange({ band })}
      />
      <Choice
        className="view-control"
        label="Difference to"
        value={isThere ? pairedBaseline : none}
        options={[[none, 'none'], ...namedAsIs(arms)]}
        onChoose={(arm) => onChange({ pairedBaseline: arm === none ? null : arm })}
      />
    </>
  );
}

const other = 'other';
const heightNames = ['small', 'medium', 'large'] as const;
const widths = ['full', 'half', 'third'] as const satisfies readonly ChartSettings['width'][];

function SizeOptions({ settings: { height, width }, onChange }: ChangeProps) {
  const id = useId();
  const { min, max } = heightLimits;
  const named = heightNames.find((name) => namedHeights[name] === height);
  return (
    <>
      <Choice<(typeof heightNames)[number] | typeof other>
        className="view-control"
        label="Height"
        value={named ?? other}
        options={[
          ...heightNames.map((name) => [name, name] as const),
          ...(named === undefined ? [[other, other] as const] : []),
        ]}
        onChoose={(name) => {
          if (name !== other) onChange({ height: namedHeights[name] });
        }}
      />
      <div className="view-control">
        <label htmlFor={id}>Pixels</label>
        <NumberInput
          id={id}
          min={min}
          max={max}
          value={height}
          onValue={(next) => {
            if (Number.isInteger(next) && next >= min && next <= max) onChange({ height: next });
          }}
        />
      </div>
      <Choice
        className="view-control"
        label="Width"
        value={width}
        options={widths.map((name) => [name, name])}
        onChoose={(next) => onChange({ width: next })}
      />
    </>
  );
}

interface CheckProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

function Check({ label, isChecked, onChange }: CheckProps) {
  const id = useId();
  return (
    <div className="view-control">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
    </div>
  );
}
