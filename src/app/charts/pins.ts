import { create } from 'zustand';
import type { ChartLine } from './chartModel';
import { rowAt } from './lineRows';
import type { ChartX } from './xAxis';

/** Points that a reader has pinned, to have their numbers side by side. Of the page, not of the document. */

/** Places on the x axis, in the order in which they were pinned. */
export type Pins = readonly number[];

export const maxPins = 4;

/** With `place` last, or without it where it is pinned already. Of more than four the oldest goes. */
export function togglePin(pins: Pins, place: number): Pins {
  return pins.includes(place)
    ? pins.filter((pinned) => pinned !== place)
    : [...pins, place].slice(-maxPins);
}

/** Under the id that charts share their cursor by: they share their pins too. */
const usePinned = create<Readonly<Record<string, Pins>>>(() => ({}));

const noPins: Pins = [];

export function usePins(syncId: string): Pins {
  return usePinned((state) => state[syncId] ?? noPins);
}

export function pinPlace(syncId: string, place: number): void {
  usePinned.setState((state) => ({ [syncId]: togglePin(state[syncId] ?? noPins, place) }));
}

/** Takes the newest pin away; false where there was none. */
export function unpinNewest(syncId: string): boolean {
  const pins = usePinned.getState()[syncId] ?? noPins;
  if (pins.length === 0) return false;
  usePinned.setState({ [syncId]: pins.slice(0, -1) });
  return true;
}

export interface PinnedValues {
  readonly place: number;
  /** Of the first line that has a point here; null where none has. */
  readonly iteration: number | null;
  /** One for each line: its centre; NaN where it has none. */
  readonly values: readonly number[];
  /** One for each line: its centre minus that at the pin before; null for the first pin. */
  readonly differences: readonly number[] | null;
}

export function pinnedValues(
  pins: Pins,
  lines: readonly Pick<ChartLine, 'x' | 'isOrdered' | 'band'>[],
  x: ChartX,
): PinnedValues[] {
  const rows = pins.map((place) => lines.map((line) => rowAt(line, place, x)));
  const valuesOf = (index: number): number[] =>
    lines.map(({ band }, line) => band.center[rows[index]![line]!] ?? NaN);
  return pins.map((place, index) => {
    const values = valuesOf(index);
    const before = index > 0 ? valuesOf(index - 1) : null;
    const first = rows[index]!.findIndex((row) => row >= 0);
    return {
      place,
      iteration: first < 0 ? null : lines[first]!.band.iterations[rows[index]![first]!]!,
      values,
      differences: before && values.map((value, line) => value - before[line]!),
    };
  });
}
