import type { BandPoint, LinePoint } from './chartModel';

/** SVG paths of lines and bands, broken where the data are. */

/** Data to px. */
export interface PlotScale {
  readonly x: (x: number) => number;
  readonly y: (value: number) => number;
}

/** A tenth of a pixel: finer is not seen and doubles the length of a path. */
function at(scale: PlotScale, x: number, value: number): string {
  return `${scale.x(x).toFixed(1)} ${scale.y(value).toFixed(1)}`;
}

/** `M…L…` through the points; a null point ends the piece and the next one begins a new one. */
export function linePath(points: readonly LinePoint[], scale: PlotScale): string {
  let path = '';
  let pen = 'M';
  for (const { x, center } of points) {
    if (center === null) pen = 'M';
    else {
      path += pen + at(scale, x, center);
      pen = 'L';
    }
  }
  return path;
}

/** Zero-length strokes, which round caps make dots, for the points that have no neighbour. */
export function loneDotsPath(points: readonly LinePoint[], scale: PlotScale): string {
  return points
    .map(({ x, center, isAlone }) =>
      isAlone && center !== null ? `M${at(scale, x, center)}h0` : '',
    )
    .join('');
}

/** One upright stroke a point: where a line goes back and forth a closed shape would cover itself. */
export function whiskersPath(points: readonly BandPoint[], scale: PlotScale): string {
  return points
    .map(({ x, range }) =>
      range === null ? '' : `M${at(scale, x, range[0])}L${at(scale, x, range[1])}`,
    )
    .join('');
}

/** One closed shape per unbroken piece: along the upper edge, back along the lower one. */
export function bandPath(points: readonly BandPoint[], scale: PlotScale): string {
  const pieces: { upper: string[]; lower: string[] }[] = [];
  let isOpen = false;
  for (const { x, range } of points) {
    if (range !== null) {
      if (!isOpen) pieces.push({ upper: [], lower: [] });
      pieces.at(-1)!.upper.push(at(scale, x, range[1]));
      pieces.at(-1)!.lower.unshift(at(scale, x, range[0]));
    }
    isOpen = range !== null;
  }
  return pieces.map(({ upper, lower }) => `M${[...upper, ...lower].join('L')}Z`).join('');
}
