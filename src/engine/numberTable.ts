import { requireFit } from './checkpointMisfit';

/** Rows of numbers as one array, and back. */

export type Row<Column extends string> = Readonly<Record<Column, number>>;

/** [rows, columns] */
export function toTable<Column extends string>(
  columns: readonly Column[],
  rows: readonly Row<Column>[],
): Float64Array<ArrayBuffer> {
  return Float64Array.from(rows.flatMap((row) => columns.map((column) => row[column])));
}

/** Least and largest whole number of a column; null for any finite number. */
export type Ranges<Column extends string> = Readonly<
  Record<Column, readonly [number, number] | null>
>;

/** A table that is read from top to bottom. */
export interface Table<Column extends string> {
  /** Throws a CheckpointMisfit where there is no further row, or a number lies outside its range. */
  next(): (column: Column) => number;
  /** All rows were read. */
  isDone(): boolean;
}

/** @param place of the table in the checkpoint, for messages */
export function readTable<Column extends string>(
  place: string,
  columns: readonly Column[],
  values: Float64Array,
  ranges: Ranges<Column>,
): Table<Column> {
  const width = columns.length;
  const isWhole = values.length % width === 0;
  requireFit(isWhole, place, `${values.length} numbers are no rows of ${width}`);
  let next = 0;
  return {
    next() {
      const start = next;
      requireFit(start < values.length, place, 'there are fewer rows than are spoken of');
      next += width;
      for (const [i, column] of columns.entries()) {
        const [value, range] = [values[start + i]!, ranges[column]];
        if (range === null) continue;
        const fits = Number.isSafeInteger(value) && value >= range[0] && value <= range[1];
        requireFit(fits, place, `${column} is ${value}, expected ${range.join(' to ')}`);
      }
      return (column) => values[start + columns.indexOf(column)]!;
    },
    isDone: () => next === values.length,
  };
}

/** An array that is read from front to back, part by part. */
export interface Parts<T> {
  /** Throws a CheckpointMisfit where there are not so many numbers left. */
  next(length: number): T;
  isDone(): boolean;
}

/** @param slice a copy of a range */
export function readParts<T>(
  place: string,
  length: number,
  slice: (from: number, to: number) => T,
): Parts<T> {
  let next = 0;
  return {
    next(count) {
      requireFit(next + count <= length, place, 'there are fewer numbers than are spoken of');
      next += count;
      return slice(next - count, next);
    },
    isDone: () => next === length,
  };
}
