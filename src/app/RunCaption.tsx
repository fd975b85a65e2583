import { formatCount } from '../metrics/format';
import { Icon } from './icons';
import { isActive, type RunState } from './runState';
import { useRun } from './runStore';
import { useShownSpec } from './runScope';
import type { ExperimentSpec } from '../config/experimentSpec';
import { VerifyButton } from './verify/VerifyButton';

/** One line over the results: what they are results of. Always there, so that nothing moves while a run goes on. */
export function RunCaption() {
  const spec = useShownSpec();
  const text = useRun((state) => captionText(state, spec));
  return (
    <div className="caption">
      <p className="muted">{text}</p>
      <RunNotices />
      <VerifyButton />
    </div>
  );
}

function captionText(state: RunState, spec: ExperimentSpec): string {
  const numRuns = spec.arms.length * spec.seeds.length;
  const size = `${spec.arms.length} arms × ${spec.seeds.length} seeds = ${numRuns} runs of ${spec.iterations} iterations`;
  if (state.phase === 'idle') return `Nothing has run yet. Run trains ${size}.`;
  if (isActive(state.phase) && state.detail !== '') return `${size}. ${state.detail}`;
  return `${recordedText(state)}${size}.`;
}

/** Numbers that were not made here are said to be so. */
function recordedText({ recorded }: RunState): string {
  if (recorded === null) return '';
  const devices = [...new Set(recorded.device.policies.map(({ device }) => device))].join(', ');
  return `Recorded on ${recorded.date.slice(0, 10)} (${devices}), Run does it again here, Verify compares. `;
}

/** What the trainer wants known, behind a count; opens over the results instead of pushing them down. */
function RunNotices() {
  const notices = useRun((state) => state.notices);
  if (notices.length === 0) return null;
  const different = [...new Set(notices)];
  return (
    <details className="run-notices">
      <summary>
        <Icon name="warning" />
        {formatCount(different.length)}
        <span>{different.length === 1 ? ' notice from the run' : ' notices from the run'}</span>
      </summary>
      <ul>
        {different.map((notice) => (
          <li key={notice}>{notice}</li>
        ))}
      </ul>
    </details>
  );
}
