import type { Marker } from './markers';

/** A mark where it can be pressed. Unit: px of the plot. */
export interface MarkerPlace {
  readonly marker: Marker;
  readonly x: number;
  readonly y: number;
}

/** Side of a square that can be pressed. Unit: px. */
const targetSize = 24;

function overlap(one: MarkerPlace, other: MarkerPlace): boolean {
  return Math.abs(one.x - other.x) < targetSize && Math.abs(one.y - other.y) < targetSize;
}

/**
 * The marks that have room to be pressed, from left to right. Where several want one place the highest has it, what is not finite
 * before all; the others are in the menu of marks.
 */
export function pressablePlaces(places: readonly MarkerPlace[]): MarkerPlace[] {
  const height = ({ marker }: MarkerPlace): number =>
    Number.isFinite(marker.value) ? marker.value : Infinity;
  const chosen: MarkerPlace[] = [];
  for (const place of places.toSorted((a, b) => (height(a) > height(b) ? -1 : 1)))
    if (!chosen.some((other) => overlap(place, other))) chosen.push(place);
  return chosen.toSorted((a, b) => a.x - b.x);
}
