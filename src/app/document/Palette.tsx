import { lazy, Suspense } from 'react';
import { usePalette } from './palette';

const CommandMenu = lazy(async () => ({ default: (await import('./CommandMenu')).CommandMenu }));

/** The command menu, while it is open. */
export function Palette() {
  const mode = usePalette((state) => state.mode);
  if (mode === null) return null;
  return (
    <Suspense fallback={null}>
      <CommandMenu mode={mode} />
    </Suspense>
  );
}
