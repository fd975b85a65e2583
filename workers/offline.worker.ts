/**
 * Keeps one version of the site, so that the notebook opens without a network. A newer version is fetched whole beside it and
 * waits until the reader asks for it. Runs as a script of its own in front of the site: the build writes the list of files.
 */

/** What the build knows of a file. */
interface SiteFile {
  /** Relative to the site. */
  readonly path: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Set by the build in front of this script. */
declare const marlbookSite: {
  /** Of all files: two builds of the same text are one version. */
  readonly version: string;
  readonly files: readonly SiteFile[];
};

if (!(self instanceof ServiceWorkerGlobalScope))
  throw new Error('This script keeps the site: register it as a service worker.');
const site: ServiceWorkerGlobalScope = self;

const ownCache = `marlbook ${marlbookSite.version}`;

/** Versions that stay: this one, and the one before for pages that were opened with it and still load parts of it. */
const maxVersions = 2;

/** Files that are fetched at a time: all at once would hold up the page that the reader looks at. */
const lane = 6;

function addressOf({ path }: SiteFile): string {
  return new URL(path, site.registration.scope).href;
}

async function hashOf(response: Response): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await response.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** From a version that is kept already, or from the site; always the very bytes that were built. */
async function fileOf(file: SiteFile): Promise<Response> {
  const address = addressOf(file);
  const kept = await caches.match(address);
  if (kept !== undefined && (await hashOf(kept.clone())) === file.sha256) return kept;
  const response = await fetch(address, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`${file.path}: the site answered ${response.status}.`);
  if ((await hashOf(response.clone())) !== file.sha256)
    throw new Error(`${file.path} is of another version than the rest: deploy every file.`);
  return response;
}

async function keepSite(): Promise<void> {
  const cache = await caches.open(ownCache);
  const waiting = [...marlbookSite.files];
  const keepNext = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
      await cache.put(addressOf(file), await fileOf(file));
  };
  try {
    await Promise.all(Array.from({ length: lane }, keepNext));
  } catch (error) {
    // Half a version is none. The browser tries again on a later visit.
    await caches.delete(ownCache);
    throw error;
  }
}

async function forgetOldVersions(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith('marlbook '));
  const others = names.filter((name) => name !== ownCache);
  const old = others.slice(0, Math.max(0, others.length - (maxVersions - 1)));
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** What is kept, first of this version, then of the one before; the network for all else. */
async function answer(request: Request): Promise<Response> {
  const { origin, pathname } = new URL(request.url);
  const address = origin + (pathname.endsWith('/') ? `${pathname}index.html` : pathname);
  const cache = await caches.open(ownCache);
  return (await cache.match(address)) ?? (await caches.match(address)) ?? fetch(request);
}

site.addEventListener('install', (event) => event.waitUntil(keepSite()));
site.addEventListener('activate', (event) => event.waitUntil(forgetOldVersions()));
site.addEventListener('fetch', (event) => {
  const { request } = event;
  const isOwn = request.method === 'GET' && request.url.startsWith(site.registration.scope);
  if (isOwn) event.respondWith(answer(request));
});
// The page asks when its reader has asked.
site.addEventListener('message', ({ data }) => {
  if (data === 'activate') void site.skipWaiting();
});
