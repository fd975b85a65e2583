import { lazy, Suspense } from 'react';
import { useOpenSpike } from '../spikes/openSpike';
import { useStoredRuns } from '../storing/storedRunsDoor';
import { usePalette } from './palette';

const CommandMenu = lazy(async () => ({ default: (await import('./CommandMenu')).CommandMenu }));
const SpikeDialog = lazy(async () => ({ default: (await import('./SpikeDialog')).SpikeDialog }));

const StoredRuns = lazy(async () => ({
  default: (await import('../storing/StoredRuns')).StoredRuns,
}));

/** What opens over the page: the command menu, the batch behind a spike, and what is stored. */
export function Dialogs() {
  const mode = usePalette((state) => state.mode);
  const hasSpike = useOpenSpike(({ open }) => open !== null);
  const hasStoredRuns = useStoredRuns(({ isOpen }) => isOpen);
  return (
    <Suspense fallback={null}>
      {mode !== null && <CommandMenu mode={mode} />}
      {hasSpike && <SpikeDialog />}
      {hasStoredRuns && <StoredRuns />}
    </Suspense>
  );
}
