import { expect, test } from 'vitest';
import type { Marker } from './markers';
import { pressablePlaces } from './markerPlaces';

function place(x: number, y: number, value: number) {
  const marker: Marker = {
    kind: Number.isFinite(value) ? 'spike' : 'notFinite',
    metric: 'gradNorm',
    arm: 'global',
    seed: 0,
    iteration: x,
    x,
    value,
  };
  return { marker, x, y };
}

test('marks that would lie on each other leave the place to the highest, and go on from left to right', () => {
  const places = [place(50, 80, 3), place(10, 80, 5), place(60, 80, 9), place(83, 80, 4)];
  expect(pressablePlaces(places).map(({ x }) => x)).toEqual([10, 60]);
  expect(pressablePlaces([...places, place(84, 80, 4)]).map(({ x }) => x)).toEqual([10, 60, 84]);
});

test('one above the other both have room, and what is not finite goes before any spike', () => {
  expect(pressablePlaces([place(50, 0, NaN), place(50, 24, 9)])).toHaveLength(2);
  expect(pressablePlaces([place(50, 10, 9), place(50, 0, NaN)]).map(({ y }) => y)).toEqual([0]);
});
