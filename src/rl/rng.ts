/**
 * Counter-based randomness: Threefry-2x32 with 20 rounds. No state anywhere; a number is a function of (key, counter), so
 * batch order changes nothing and a GPU can draw the same numbers (only 32-bit add, rotate and xor).
 * Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3".
 */

/** Two uint32 words. Derive with `foldIn`; never used up. */
export type Key = readonly [number, number];

/** Skein's key-schedule parity constant. */
const parity = 0x1bd11bda;

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/**
 * The 20-round block function without an allocation: sampling draws one block per vocabulary entry.
 * @param out [2] receives two uniform uint32 words
 */
function threefryInto(out: Uint32Array, key: Key, counter0: number, counter1: number): void {
  const k0 = key[0] | 0;
  const k1 = key[1] | 0;
  const k2 = parity ^ k0 ^ k1;
  let x0 = (counter0 + k0) | 0;
  let x1 = (counter1 + k1) | 0;
  for (let group = 1; group <= 5; group++) {
    const isOdd = group % 2 === 1;
    x0 = (x0 + x1) | 0;
    x1 = rotateLeft(x1, isOdd ? 13 : 17) ^ x0;
    x0 = (x0 + x1) | 0;
    x1 = rotateLeft(x1, isOdd ? 15 : 29) ^ x0;
    x0 = (x0 + x1) | 0;
    x1 = rotateLeft(x1, isOdd ? 26 : 16) ^ x0;
    x0 = (x0 + x1) | 0;
    x1 = rotateLeft(x1, isOdd ? 6 : 24) ^ x0;
    // Key injection: the three words of the schedule in turn, and the group's number.
    const turn = group % 3;
    x0 = (x0 + (turn === 0 ? k0 : turn === 1 ? k1 : k2)) | 0;
    x1 = (x1 + (turn === 0 ? k1 : turn === 1 ? k2 : k0) + group) | 0;
  }
  out[0] = x0;
  out[1] = x1;
}

/** Scratch for one block: written and read within a single call. */
const block = new Uint32Array(2);

/** The 20-round block function: key and counter (uint32 pairs) to two uniform uint32 words. */
export function threefry2x32(key: Key, counter: readonly [number, number]): [number, number] {
  threefryInto(block, key, counter[0], counter[1]);
  return [block[0]!, block[1]!];
}

/** Root key of a user's seed (uint32). */
export function keyFromSeed(seed: number): Key {
  return [0, seed >>> 0];
}

/** A key for a named part of the computation: fold in purpose, task, rollout, turn, one after another. */
export function foldIn(key: Key, ...data: readonly number[]): Key {
  let folded = key;
  for (const datum of data) folded = threefry2x32(folded, [0, datum >>> 0]);
  return folded;
}

/** Uniform on (0, 1), never 0 or 1: (top 23 bits + ½) / 2²³, exact in float32, so a GPU draws the same value. */
export function uniform(key: Key, counter: number): number {
  threefryInto(block, key, 1, counter);
  const bits = block[0]!;
  return ((bits >>> 9) + 0.5) / 0x800000;
}

/** Uniform integer in [0, bound), by scaling 32 bits: bias below bound / 2³². */
export function uniformInt(key: Key, counter: number, bound: number): number {
  if (!Number.isInteger(bound) || bound < 1 || bound > 0x100000)
    throw new RangeError(`bound is ${bound}: expected an integer from 1 to 2²⁰.`);
  const [bits] = threefry2x32(key, [2, counter >>> 0]);
  return Math.floor((bits / 0x100000000) * bound);
}

/** Standard normal by Box–Muller from two independent words of one block. */
export function normal(key: Key, counter: number): number {
  const [a, b] = threefry2x32(key, [3, counter >>> 0]);
  const radius = Math.sqrt(-2 * Math.log((a + 0.5) / 0x100000000));
  return radius * Math.cos((2 * Math.PI * b) / 0x100000000);
}

/** Standard Gumbel noise −log(−log u): argmax(logits + noise) samples the softmax. Unit: nats. */
export function gumbel(key: Key, counter: number): number {
  return -Math.log(-Math.log(uniform(key, counter)));
}
