/**
 * Counter-based randomness: Threefry-2x32 with 20 rounds. No state anywhere; a number is a function of (key, counter), so
 * batch order changes nothing and a GPU can draw the same numbers (only 32-bit add, rotate and xor).
 * Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3".
 */

/** Two uint32 words. Derive with `foldIn`; never used up. */
export type Key = readonly [number, number];

const rotations = [13, 15, 26, 6, 17, 29, 16, 24] as const;
/** Skein's key-schedule parity constant. */
const parity = 0x1bd11bda;

/** The 20-round block function: key and counter (uint32 pairs) to two uniform uint32 words. */
export function threefry2x32(key: Key, counter: readonly [number, number]): [number, number] {
  const schedule = [key[0] | 0, key[1] | 0, parity ^ key[0] ^ key[1]];
  let x0 = (counter[0] + schedule[0]!) | 0;
  let x1 = (counter[1] + schedule[1]!) | 0;
  for (let round = 0; round < 20; round++) {
    const bits = rotations[round % 8]!;
    x0 = (x0 + x1) | 0;
    x1 = ((x1 << bits) | (x1 >>> (32 - bits))) ^ x0;
    if (round % 4 === 3) {
      const injection = (round + 1) / 4;
      x0 = (x0 + schedule[injection % 3]!) | 0;
      x1 = (x1 + schedule[(injection + 1) % 3]! + injection) | 0;
    }
  }
  return [x0 >>> 0, x1 >>> 0];
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
  const [bits] = threefry2x32(key, [1, counter >>> 0]);
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
