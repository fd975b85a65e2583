/**
 * A stream of numbers in [0, 1) that is addressed by its counter, for the resampling of statistics on the page: the same seed gives the
 * same interval twice. MurmurHash3's 32-bit finalizer (Appleby 2011) over counter and seed. What is trained draws by Threefry instead.
 */
export function counterUniform(seed: number): (counter: number) => number {
  return (counter) => {
    let bits = Math.imul(counter ^ Math.imul(seed + 1, 0x9e3779b9), 0x85ebca6b) >>> 0;
    bits ^= bits >>> 16;
    bits = Math.imul(bits, 0x85ebca6b);
    bits ^= bits >>> 13;
    bits = Math.imul(bits, 0xc2b2ae35);
    bits ^= bits >>> 16;
    return (bits >>> 0) / 2 ** 32;
  };
}
