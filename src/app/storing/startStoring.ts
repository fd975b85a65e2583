import { useKept } from './kept';

/** Starts to keep what the page has, as soon as the page has nothing better to do: nothing of it is needed for the first sight. */
export function startStoring(): void {
  const start = (): void => {
    import('./session').then(
      ({ startSession }) => startSession(),
      () =>
        useKept.setState({
          damage: 'The part of the page that stores runs could not be loaded: nothing is kept.',
        }),
    );
  };
  if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: 2000 });
  else setTimeout(start, 200);
}
