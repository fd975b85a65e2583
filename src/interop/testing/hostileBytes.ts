import fc from 'fast-check';

/** Valid bytes and what damage, chance and malice make of them. */

/** Writes a number where a size, an offset or a count may stand. */
function withNumber(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const changed = bytes.slice();
  if (changed.length >= 4)
    new DataView(changed.buffer).setUint32(at % (changed.length - 3), value, true);
  return changed;
}

function withBit(bytes: Uint8Array, at: number, bit: number): Uint8Array {
  const changed = bytes.slice();
  if (changed.length > 0) changed[at % changed.length]! ^= 1 << bit;
  return changed;
}

/** `length` bytes from `from` stand at `to` as well: entries that overlap, parts that come twice. */
function withCopy(bytes: Uint8Array, from: number, to: number, length: number): Uint8Array {
  const changed = bytes.slice();
  const size = changed.length;
  if (size > 0) changed.copyWithin(to % size, from % size, Math.min(size, (from % size) + length));
  return changed;
}

/** The beginning of one file and the end of another. */
function spliced(head: Uint8Array, tail: Uint8Array, at: number): Uint8Array {
  const place = at % (head.length + 1);
  return Uint8Array.from([...head.subarray(0, place), ...tail.subarray(place % (tail.length + 1))]);
}

const place = fc.nat(0x7fffffff);

/** Numbers that sizes must not be taken from unseen, and small ones that shift what follows. */
const number = fc.oneof(
  fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x10000, 0xffff),
  fc.nat(64),
);

type Change = (bytes: Uint8Array) => Uint8Array;

function anyChange(others: readonly Uint8Array[]): fc.Arbitrary<Change> {
  return fc.oneof(
    place.map(
      (at): Change =>
        (bytes) =>
          bytes.slice(0, at % (bytes.length + 1)),
    ),
    fc.tuple(place, fc.nat(7)).map(
      ([at, bit]): Change =>
        (bytes) =>
          withBit(bytes, at, bit),
    ),
    fc.tuple(place, number).map(
      ([at, value]): Change =>
        (bytes) =>
          withNumber(bytes, at, value),
    ),
    fc.tuple(place, place, fc.nat(200)).map(
      ([from, to, length]): Change =>
        (bytes) =>
          withCopy(bytes, from, to, length),
    ),
    fc.tuple(place, fc.constantFrom(...others)).map(
      ([at, other]): Change =>
        (bytes) =>
          spliced(bytes, other, at),
    ),
    fc.uint8Array({ maxLength: 40 }).map(
      (more): Change =>
        (bytes) =>
          Uint8Array.from([...bytes, ...more]),
    ),
  );
}

/** One of `valid`, left alone or changed up to three times. */
export function hostileBytes(valid: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(fc.constantFrom(...valid), fc.array(anyChange(valid), { maxLength: 3 }))
    .map(([bytes, changes]) => changes.reduce((changed, change) => change(changed), bytes));
}
