/** Bytes that the typed arrays among an object's fields hold, seen as columns of one table. */
export function columnBytes(table: object): number {
  return Object.values(table).reduce<number>(
    (bytes, value) => (ArrayBuffer.isView(value) ? bytes + value.byteLength : bytes),
    0,
  );
}
