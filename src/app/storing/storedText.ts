import { sizeText } from './keepingText';
import type { StoredListing, StoredNotebookEntry, StoredRunEntry } from './storedList';

const endings = {
  completed: 'finished',
  stopped: 'stopped',
  failed: 'failed',
} as const;

/** `57 of 200 iterations, left unfinished · 2026-12-03 10:15` */
export function runDetails(
  { iteration, iterations, ended, savedAt }: StoredRunEntry,
  openIn: StoredNotebookEntry['openIn'],
): string {
  const open = openIn === 'nowhere' ? 'left unfinished' : 'at work or left unfinished';
  const end = ended === 'open' ? open : endings[ended];
  return `${iteration} of ${iterations} iterations, ${end} · ${dateText(savedAt)}`;
}

/** `2026-12-03 10:15`, in the time zone of the reader. */
function dateText(savedAt: number): string {
  const date = new Date(savedAt);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** What the browser says of the room there is. */
export function spaceText({ usage, quota, isPersistent }: StoredListing): string {
  const used =
    usage === null || quota === null
      ? 'The browser does not say how much room there is.'
      : `${sizeText(usage)} of ${sizeText(quota)} that this browser allows are in use.`;
  return `${used} ${persistenceText(isPersistent)}`;
}

function persistenceText(isPersistent: boolean | null): string {
  if (isPersistent === null) return '';
  return isPersistent
    ? 'It deletes nothing by itself.'
    : 'When the disk runs short it may delete what is kept here.';
}

/** Of a notebook, beside its title. */
export function placeText({ openIn, runs, savedAt }: StoredNotebookEntry): string {
  const place = { here: 'on this page', elsewhere: 'open in another tab', nowhere: '' }[openIn];
  const empty = runs.length === 0 ? `no runs, ${dateText(savedAt)}` : '';
  return [place, empty].filter((text) => text !== '').join(', ');
}
