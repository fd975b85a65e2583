import { lazy, Suspense } from 'react';
import { useOpenSpike } from '../spikes/openSpike';
import { usePalette } from './palette';

const CommandMenu = lazy(async () => ({ default: (await import('./CommandMenu')).CommandMenu }));
const SpikeDialog = lazy(async () => ({ default: (await import('./SpikeDialog')).SpikeDialog }));

/** What opens over the page: the command menu, and the batch behind a spike. */
export function Dialogs() {
  const mode = usePalette((state) => state.mode);
  const hasSpike = useOpenSpike(({ open }) => open !== null);
  return (
    <Suspense fallback={null}>
      {mode !== null && <CommandMenu mode={mode} />}
      {hasSpike && <SpikeDialog />}
    </Suspense>
  );
}
