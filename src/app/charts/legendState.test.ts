import { expect, test } from 'vitest';
import { isolateEntry, nothingHidden, toggleEntry, type LegendEntry } from './legendState';

const entries: readonly LegendEntry[] = [
  { id: 'global', kind: 'arm', label: 'global' },
  { id: 'globalStep', kind: 'arm', label: 'globalStep' },
  { id: 'agentWise', kind: 'arm', label: 'agentWise' },
  { id: 'advSecondMoment', kind: 'metric', label: 'measured' },
];

test('a click hides an entry and a second one shows it again', () => {
  const hidden = toggleEntry(nothingHidden, 'global');
  expect([...hidden]).toEqual(['global']);
  expect(toggleEntry(hidden, 'global').size).toBe(0);
  expect(nothingHidden.size).toBe(0);
});

test('isolating an arm hides the other arms and leaves metrics alone', () => {
  const hidden = isolateEntry(new Set(['advSecondMoment']), entries, 'agentWise');
  expect([...hidden].toSorted()).toEqual(['advSecondMoment', 'global', 'globalStep']);
});

test('isolating a hidden arm shows it', () => {
  expect(isolateEntry(new Set(['agentWise']), entries, 'agentWise').has('agentWise')).toBe(false);
});

test('isolating the only visible arm brings all arms back', () => {
  const alone = isolateEntry(nothingHidden, entries, 'global');
  expect(isolateEntry(alone, entries, 'global').size).toBe(0);
});

test('the two clicks of a double click cancel out before it isolates', () => {
  const clicked = toggleEntry(toggleEntry(nothingHidden, 'global'), 'global');
  expect([...isolateEntry(clicked, entries, 'global')].toSorted()).toEqual([
    'agentWise',
    'globalStep',
  ]);
});
