/** The buffers of a message's typed arrays, to be transferred with it. */
export function buffersOf(message: object): ArrayBuffer[] {
  return Object.values(message).flatMap((value: unknown) =>
    ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
}
