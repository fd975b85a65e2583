import { useKept } from './kept';
import { listenToRuns } from './runEvents';

/** Starts to keep what the page has, as soon as the page has nothing better to do: nothing of it is needed for the first sight. */
export function startStoring(): void {
  // What goes wrong is shown on the page.
  if ('requestIdleCallback' in window) requestIdleCallback(() => void start(), { timeout: 2000 });
  else setTimeout(() => void start(), 200);
}

async function start(): Promise<void> {
  try {
    const { startSession } = await import('./session');
    await startSession();
  } catch {
    listenToRuns(() => undefined);
    useKept.setState({
      damage: 'The part of the page that stores runs could not be loaded: nothing is kept.',
    });
  }
}
