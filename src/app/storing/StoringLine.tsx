import { Icon } from '../icons';
import { useRun } from '../runStore';
import { isActive } from '../runState';
import { useKeeping } from './keeping';
import { keepingText } from './keepingText';
import { openStoredRuns } from './storedRunsDoor';

/** One line under the caption: how far the run of this experiment is kept, or why not and what can be done. Always of one height. */
export function StoringLine() {
  const series = useRun((run) => run.series);
  const isRunning = useRun(({ phase }) => isActive(phase));
  const keeping = useKeeping(({ runs }) => runs.get(series)) ?? { kind: 'waiting' };
  const tryAgain = useKeeping((state) => state.tryAgain);
  const { full, short, isProblem } = keepingText(keeping, isRunning);
  const canRetry = keeping.kind === 'notKept' && keeping.reason.kind !== 'otherTab';
  return (
    <>
      <p className={isProblem ? 'storing-problem' : 'muted'} title={full}>
        {isProblem && <Icon name="warning" />}
        <span className="storing-full">{full}</span>
        <span className="storing-short">{short}</span>
      </p>
      {canRetry && (
        <button type="button" disabled={tryAgain === null} onClick={() => tryAgain?.()}>
          Try again
        </button>
      )}
      <button type="button" aria-haspopup="dialog" onClick={openStoredRuns}>
        Stored runs…
      </button>
    </>
  );
}
