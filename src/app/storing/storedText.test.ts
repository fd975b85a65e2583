import { expect, test } from 'vitest';
import { placeText, runDetails, spaceText } from './storedText';

const run = {
  id: 'r',
  title: 'Norms',
  iteration: 57,
  iterations: 200,
  savedAt: new Date(2026, 11, 3, 10, 15).getTime(),
  ended: 'open',
} as const;
const listing = { notebooks: [], damaged: [], usage: 12e6, quota: 2e9, isPersistent: false };

test('a run says how far it came, how it ended and when', () => {
  expect(runDetails(run, 'nowhere')).toBe(
    '57 of 200 iterations, left unfinished · 2026-12-03 10:15',
  );
  expect(runDetails({ ...run, ended: 'completed' }, 'nowhere')).toBe(
    '57 of 200 iterations, finished · 2026-12-03 10:15',
  );
});

test('a run whose notebook is open may be at work', () => {
  expect(runDetails(run, 'elsewhere')).toContain('at work or left unfinished');
});

test('room and persistence are told where the browser tells them', () => {
  expect(spaceText(listing)).toBe(
    '12 MB of 2.0 GB that this browser allows are in use. When the disk runs short it may delete what is kept here.',
  );
  expect(spaceText({ ...listing, quota: null, isPersistent: true })).toBe(
    'The browser does not say how much room there is. It deletes nothing by itself.',
  );
});

test('a notebook says where it is open, and that it has no runs', () => {
  const notebook = {
    id: 'n',
    title: '',
    savedAt: run.savedAt,
    openIn: 'elsewhere',
    runs: [run],
  } as const;
  expect(placeText(notebook)).toBe('open in another tab');
  expect(placeText({ ...notebook, openIn: 'nowhere', runs: [] })).toBe('no runs, 2026-12-03 10:15');
});
