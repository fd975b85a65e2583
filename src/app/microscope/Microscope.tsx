import { useId, useMemo } from 'react';
import type { ExperimentSpec } from '../../config/experimentSpec';
import { replicasOf } from '../../config/overrides';
import type { RunSeries } from '../../metrics/runSeries';
import type { GroupRecord } from '../../protocol/trainerApi';
import { runScope } from '../runScope';
import { Choosers } from './Choosers';
import { GroupPanel } from './GroupPanel';
import { groupView } from './groupView';
import { recordAt } from './keptGroups';
import { loggedMoments } from './logged';
import { insteadText, missingGroup, type MicroscopeChoice } from './microscopeText';

interface MicroscopeProps {
  /** Of the run, oldest first. */
  readonly groups: readonly GroupRecord[];
  readonly series: RunSeries;
  /** What has run. */
  readonly spec: ExperimentSpec;
  /** Which group; owned by the caller. */
  readonly choice: MicroscopeChoice;
  readonly onChoose: (choice: MicroscopeChoice) => void;
  /** Under something that says already which group it is: no choosers and no heading, long tables folded. */
  readonly isEmbedded?: boolean;
}

/** One group of one iteration: what its rollouts earned, and the advantages that each normalizer makes of it. */
export function Microscope(props: MicroscopeProps) {
  const { groups, choice, onChoose, isEmbedded = false } = props;
  const titleId = useId();
  if (isEmbedded) return <ChosenGroup {...props} />;
  return (
    <section className="microscope" aria-labelledby={titleId}>
      <header className="microscope-head">
        <h2 id={titleId}>Advantage microscope</h2>
        <p className="muted small">
          One group’s scores, and what each normalizer would make of them
        </p>
      </header>
      {groups.length === 0 ? (
        <p className="empty">
          The scores of one group of rollouts, the statistics they are compared with, and the
          advantages that four normalizers make of them, side by side. Run the experiment to see it.
        </p>
      ) : (
        <>
          <Choosers groups={groups} choice={choice} onChoose={onChoose} />
          <ChosenGroup {...props} />
        </>
      )}
    </section>
  );
}

function ChosenGroup(props: MicroscopeProps) {
  const { groups, series, spec, choice, isEmbedded = false } = props;
  const { taskGroup } = choice;
  const record = recordAt(groups, choice);
  const replica = useMemo(
    () => replicasOf(spec).find(({ arm, seed }) => arm === choice.arm && seed === choice.seed),
    [spec, choice.arm, choice.seed],
  );
  const agents = useMemo(() => runScope(spec).agents, [spec]);
  const view = useMemo(
    () => (record && replica ? groupView(record, taskGroup, replica.training) : null),
    [record, replica, taskGroup],
  );
  if (!record || !replica || view === null) return <NotKept {...props} />;
  return (
    <GroupPanel
      view={view}
      estimator={replica.training.estimator}
      agents={agents}
      logged={loggedMoments(series, record)}
      isCompact={isEmbedded}
    />
  );
}

function NotKept({ groups, choice, onChoose }: MicroscopeProps) {
  const { text, instead } = missingGroup(groups, choice);
  return (
    <div className="microscope-missing">
      <p>{text}</p>
      {instead && (
        <button type="button" onClick={() => onChoose(instead)}>
          {insteadText(instead)}
        </button>
      )}
    </div>
  );
}
