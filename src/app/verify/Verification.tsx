import { lazy, Suspense } from 'react';
import { useVerification } from './verificationState';

// Nobody needs it before Verify is pressed.
const VerificationPanel = lazy(async () => ({
  default: (await import('./VerificationPanel')).VerificationPanel,
}));

/** Nothing until the run of this experiment is to be verified. */
export function Verification() {
  const state = useVerification();
  if (state.kind === 'none') return null;
  return (
    <Suspense fallback={null}>
      <VerificationPanel state={state} />
    </Suspense>
  );
}
