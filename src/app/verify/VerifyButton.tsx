import { useDesk } from '../desks';
import { isActive } from '../runState';
import { useRun } from '../runStore';
import { useVerification } from './verificationState';

/** Makes the run again beside itself and compares. Always in its place, so that nothing moves when a run ends. */
export function VerifyButton() {
  const desk = useDesk();
  const isOver = useRun(({ phase, revision }) => revision > 0 && !isActive(phase));
  const { kind } = useVerification();
  const verify = async (): Promise<void> => {
    // Comparing is not part of the first load.
    const { askVerification } = await import('./verify');
    await askVerification(desk);
  };
  return (
    <button
      type="button"
      className="verify-button"
      disabled={!isOver || kind === 'running'}
      title={
        isOver
          ? 'Runs it again with the settings it ran with, and compares every value'
          : 'There is no finished run to verify yet'
      }
      onClick={() => {
        // What comes of it stands in the store.
        void verify();
      }}
    >
      Verify
    </button>
  );
}
