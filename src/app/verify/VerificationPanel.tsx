import { useEffect, useId, useRef } from 'react';
import { useStore } from 'zustand';
import { formatDuration } from '../../metrics/format';
import { useDesk } from '../desks';
import { etaMs, isActive, type RunState } from '../runState';
import { useRun } from '../runStore';
import { phaseText } from '../runText';
import { Remarks } from './Remarks';
import { VerdictView } from './VerdictView';
import type { VerificationPlan } from './verificationPlan';
import { verificationOf, type VerificationState } from './verificationState';
import { startVerification } from './verify';

interface VerificationPanelProps {
  readonly state: Exclude<VerificationState, { kind: 'none' }>;
}

/** A verification beside the run that it is of. */
export function VerificationPanel({ state }: VerificationPanelProps) {
  const series = useRun((run) => run.series);
  // Another run has taken the place of the one that was judged.
  const isOfAnother = state.kind === 'done' && state.verdict.plan.original.series !== series;
  return isOfAnother ? null : <Panel state={state} />;
}

function Panel({ state }: VerificationPanelProps) {
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const store = verificationOf(useDesk());
  // The button that was pressed is gone with what it was part of.
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.matches(':disabled') === true)
      heading.current?.focus({ preventScroll: true });
  });
  return (
    <section className="verification" aria-labelledby={titleId}>
      <header className="verification-head">
        <h2 id={titleId} ref={heading} {...focusable}>
          Verification
        </h2>
        {state.kind !== 'running' && (
          <button type="button" onClick={() => store.setState({ kind: 'none' }, true)}>
            Close
          </button>
        )}
      </header>
      <PanelBody state={state} />
    </section>
  );
}

/** Not a stop of the Tab key, but a place for the focus. */
const focusable = { tabIndex: -1 };

function PanelBody({ state }: VerificationPanelProps) {
  switch (state.kind) {
    case 'refused':
      return <p>{state.reason}</p>;
    case 'asked':
      return <Warnings plan={state.plan} />;
    case 'running':
      return <Progress {...state} />;
    case 'done':
      return <VerdictView verdict={state.verdict} />;
  }
}

/** To be known before anything runs. */
function Warnings({ plan }: { readonly plan: VerificationPlan }) {
  const desk = useDesk();
  return (
    <>
      <Remarks texts={[...plan.warnings, ...plan.remarks]} />
      <p>
        <button
          type="button"
          className="primary"
          onClick={() => {
            // What comes of it stands in the store.
            void startVerification(desk, plan);
          }}
        >
          Verify all the same
        </button>
      </p>
    </>
  );
}

function Progress({ plan, run, stop }: Extract<VerificationState, { kind: 'running' }>) {
  const text = useStore(run, phaseText);
  const detail = useStore(run, (state) => state.detail);
  const iteration = useStore(run, (state) => Math.min(state.iteration, plan.lastIteration));
  const share = useStore(run, (state) => shareDone(state, plan));
  const left = useStore(run, (state) => timeLeft(state, plan));
  const isStopping = useStore(run, ({ request }) => request === 'stop');
  return (
    <>
      <div className="verification-progress">
        <span>
          {text} {detail !== '' && <span className="muted">{detail}</span>}
        </span>
        <span>
          {iteration}/{plan.lastIteration}
        </span>
        <span className="muted">{left}</span>
        <button
          type="button"
          title={isStopping ? 'Ends the workers at once' : 'Ends it before the next iteration'}
          onClick={stop}
        >
          {isStopping ? 'Stop now' : 'Stop the verification'}
        </button>
      </div>
      <progress aria-label="Progress of the verification" max={1} value={share ?? undefined} />
      {plan.remarks.length > 0 && <Remarks texts={plan.remarks} />}
    </>
  );
}

/** Null for a phase of unknown length. */
function shareDone({ phase, iteration, share }: RunState, plan: VerificationPlan): number | null {
  const isTraining = iteration > 0 || phase === 'training';
  if (!isTraining) return share;
  return plan.lastIteration === 0 ? 1 : Math.min(1, iteration / plan.lastIteration);
}

/** To the end of what is compared. */
function timeLeft(state: RunState, { spec, lastIteration }: VerificationPlan): string {
  const eta = isActive(state.phase)
    ? etaMs({ ...state, spec: { ...spec, iterations: lastIteration } })
    : null;
  return eta === null ? '' : `${formatDuration(eta)} left`;
}
