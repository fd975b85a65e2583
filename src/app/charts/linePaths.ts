import type { BandPoint, LinePoint } from './chartModel';

/** SVG paths of lines and bands, broken where the data are. */

/** Data to px: x of an iteration, y of a value. */
export interface PlotScale {
  readonly x: (iteration: number) => number;
  readonly y: (value: number) => number;
}

/** A tenth of a pixel: finer is not seen and doubles the length of a path. */
function at({ x, y }: PlotScale, iteration: number, value: number): string {
  return `${x(iteration).toFixed(1)} ${y(value).toFixed(1)}`;
}

/** `M…L…` through the points; a null point ends the piece and the next one begins a new one. */
export function linePath(points: readonly LinePoint[], scale: PlotScale): string {
  let path = '';
  let pen = 'M';
  for (const { iteration, center } of points) {
    if (center === null) pen = 'M';
    else {
      path += pen + at(scale, iteration, center);
      pen = 'L';
    }
  }
  return path;
}

/** Zero-length strokes, which round caps make dots, for the points that have no neighbour. */
export function loneDotsPath(points: readonly LinePoint[], scale: PlotScale): string {
  return points
    .map(({ iteration, center, isAlone }) =>
      isAlone && center !== null ? `M${at(scale, iteration, center)}h0` : '',
    )
    .join('');
}

/** One closed shape per unbroken piece: along the upper edge, back along the lower one. */
export function bandPath(points: readonly BandPoint[], scale: PlotScale): string {
  const pieces: { upper: string[]; lower: string[] }[] = [];
  let isOpen = false;
  for (const { iteration, range } of points) {
    if (range !== null) {
      if (!isOpen) pieces.push({ upper: [], lower: [] });
      pieces.at(-1)!.upper.push(at(scale, iteration, range[1]));
      pieces.at(-1)!.lower.unshift(at(scale, iteration, range[0]));
    }
    isOpen = range !== null;
  }
  return pieces.map(({ upper, lower }) => `M${[...upper, ...lower].join('L')}Z`).join('');
}
