import { create } from 'zustand';
import { activeDesk } from './activeExperiment';
import { announce } from './announcement';

/** Keeps the page for use without a network, and tells when a newer one is there. Nothing is exchanged unasked. */

interface NewVersionState {
  /** Fetched whole, and waiting to be used; null while this page is the newest that is known. */
  readonly waiting: ServiceWorker | null;
}

export const useNewVersion = create<NewVersionState>(() => ({ waiting: null }));

/** Once the page has loaded: what is fetched to be kept must not hold up what is looked at. */
export function startOffline(): void {
  // Not while developing, where files change under the page, nor over plain http.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}

function register(): void {
  navigator.serviceWorker.register(new URL('offline.js', document.baseURI)).then(
    watch,
    // The browser keeps nothing for this site (a private window, a full disk): the page works as before, with a network.
    () => undefined,
  );
}

function tell(worker: ServiceWorker | null): void {
  // The first version ever has nothing to wait for.
  if (worker?.state !== 'installed' || navigator.serviceWorker.controller === null) return;
  useNewVersion.setState({ waiting: worker });
  announce('A new version of the page is ready.');
}

/** @param registration none in an automated browser that was told to keep nothing */
function watch(registration: ServiceWorkerRegistration | undefined): void {
  if (registration === undefined) return;
  tell(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => tell(installing));
  });
}

/** Opens the new version in place of this page; does nothing while a run is active, which would end with the page. */
export function openNewVersion(): void {
  const { waiting } = useNewVersion.getState();
  if (waiting === null || activeDesk() !== null) return;
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
    once: true,
  });
  waiting.postMessage('activate', []);
}
