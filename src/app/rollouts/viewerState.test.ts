import { expect, test } from 'vitest';
import { initialFilters } from './episodes';
import { applyViewerAction, initialViewer, stepAfter, viewOf } from './viewerState';
import { madeUpTranscript } from './testing/madeUpTranscript';

const first = madeUpTranscript({ iteration: 1 });
const second = madeUpTranscript({ iteration: 2 });
const other = madeUpTranscript({ iteration: 2, seed: 1 });
const fifth = madeUpTranscript({ iteration: 5, teamReward: 1 });

test('an untouched viewer follows the run, a touched one holds still and counts what is newer', () => {
  expect(viewOf(initialViewer, [])).toMatchObject({ episode: null, numNewer: 0 });
  expect(viewOf(initialViewer, [first]).episode).toBe(first);
  expect(viewOf(initialViewer, [first, second]).episode).toBe(second);
  const touched = applyViewerAction(initialViewer, { kind: 'touched', live: [first, second] });
  // Iteration 1 has been forgotten meanwhile, here it is still listed.
  const view = viewOf(touched, [second, fifth]);
  expect(view).toMatchObject({ episode: second, numNewer: 3, iterations: [2, 1] });
  // A second touch changes nothing.
  expect(applyViewerAction(touched, { kind: 'touched', live: [fifth] })).toBe(touched);
});

test('before the first episode there is nothing to hold', () => {
  expect(applyViewerAction(initialViewer, { kind: 'touched', live: [] })).toBe(initialViewer);
});

test('a choice stays when the filters leave it out', () => {
  const touched = applyViewerAction(initialViewer, { kind: 'touched', live: [first, second] });
  const filters = { ...initialFilters, outcome: 'solved' as const };
  const view = viewOf(applyViewerAction(touched, { kind: 'filtered', filters }), [first, second]);
  expect(view.listed).toEqual([]);
  expect(view.episode).toBe(second);
});

test('another choice leaves the comparison and begins at the first turn when it is stepped', () => {
  const state = { ...initialViewer, held: [first, second, other], chosen: second, beside: first };
  const next = applyViewerAction({ ...state, step: 1 }, { kind: 'chosen', episode: other });
  expect(next).toMatchObject({ chosen: other, beside: null, step: 0 });
  expect(applyViewerAction(state, { kind: 'chosen', episode: other }).step).toBeNull();
});

test('the newest is shown on request: filters stay, but for one iteration', () => {
  const filters = { ...initialFilters, arm: 'global', iteration: 1 };
  const state = { ...initialViewer, filters, held: [first], chosen: first, step: 0 };
  const next = applyViewerAction(state, { kind: 'refreshed', live: [first, fifth] });
  expect(next.filters).toEqual({ ...filters, iteration: 'latest' });
  expect(next).toMatchObject({ chosen: fifth, step: null, beside: null });
  expect(viewOf(next, [first, fifth]).numNewer).toBe(0);
});

test('keys lead one turn on or back, to the ends and back to the whole', () => {
  expect(stepAfter('ArrowRight', null, 3)).toBe(0);
  expect(stepAfter('ArrowRight', 0, 3)).toBe(1);
  expect(stepAfter('ArrowRight', 2, 3)).toBe(2);
  expect(stepAfter('ArrowLeft', null, 3)).toBe(1);
  expect(stepAfter('ArrowLeft', 0, 3)).toBe(0);
  expect(stepAfter('Home', 2, 3)).toBe(0);
  expect(stepAfter('End', null, 3)).toBe(2);
  expect(stepAfter('Escape', 1, 3)).toBeNull();
  expect(stepAfter('a', 1, 3)).toBeUndefined();
  expect(stepAfter('End', null, 0)).toBe(0);
});
