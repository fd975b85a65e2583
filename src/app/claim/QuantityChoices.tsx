import { metricCatalog } from '../../metrics/catalog';
import { teamId } from '../../metrics/runSeries';
import type { ClaimQuantity } from '../../notebook/claimCell';
import { metricStatisticMeanings } from '../../notebook/referenceText';
import { metricStatistics } from '../../notebook/statistics';
import { Choice, type ChoiceOption } from '../Choice';
import { metricOptions, withMetric, withPresent, type ExperimentNames } from './claimChoices';

interface QuantityChoicesProps {
  readonly legend: string;
  readonly quantity: ClaimQuantity;
  readonly names: ExperimentNames;
  readonly onChange: (quantity: ClaimQuantity) => void;
}

const statistics = metricStatistics.map((key): ChoiceOption<typeof key> => [
  key,
  `${key}: ${metricStatisticMeanings[key]}`,
]);

/** One number of the runs: which arm, metric, agent and statistic. */
export function QuantityChoices({ legend, quantity, names, onChange }: QuantityChoicesProps) {
  const { arm, agent, metric, statistic } = quantity;
  const isOfTeam = metricCatalog[metric].level === 'team';
  return (
    <fieldset className="claim-quantity">
      <legend>{legend}</legend>
      <Choice
        className="claim-choice"
        label="Arm"
        value={arm}
        options={withPresent(names.arms, arm)}
        onChoose={(next) => onChange({ ...quantity, arm: next })}
      />
      <Choice
        className="claim-choice"
        label="Metric"
        value={metric}
        options={metricOptions}
        onChoose={(next) => onChange(withMetric(quantity, next, names.agents))}
      />
      <Choice
        className="claim-choice"
        label="Agent"
        value={agent}
        options={withPresent(isOfTeam ? [teamId] : names.agents, agent)}
        onChoose={(next) => onChange({ ...quantity, agent: next })}
      />
      <Choice
        className="claim-choice"
        label="Statistic"
        value={statistic}
        options={statistics}
        onChoose={(next) => onChange({ ...quantity, statistic: next })}
      />
    </fieldset>
  );
}
